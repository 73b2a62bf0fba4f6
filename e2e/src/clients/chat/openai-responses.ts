import { omitUndefined } from '@mg/contract';
import type OpenAI from 'openai';
import { createOpenAi } from '../openai-client.js';
import type { ChatClient, Conversation, Reply, RunOptions, Setup } from './conversation.js';
import { openaiChat, readOpenAiFailure } from './openai-chat.js';
import { readCost } from './read-cost.js';
import { readHeaders } from './read-headers.js';

type Item = OpenAI.Responses.ResponseInputItem;
type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;

/** OpenAI's SDK, on responses. */
export const openaiResponses: ChatClient = {
  ...openaiChat,
  name: 'openai (responses)',
  stops: { end: 'completed', length: 'incomplete', calls: 'completed' },
  droppedThoughts: 'input.reasoning',
  open(deployment, setup): Conversation {
    const client = createOpenAi(deployment, setup.apiKey);
    const input: Item[] = [];
    let output: readonly OpenAI.Responses.ResponseOutputItem[] = [];
    return {
      ask: ({ text, image }) => void input.push(askWith(text, image)),
      answerCalls: (results) => {
        const calls = output.filter((item) => item.type === 'function_call');
        for (const [index, { call_id }] of calls.entries()) {
          input.push({ type: 'function_call_output', call_id, output: results[index] ?? '' });
        }
      },
      run: async (options) => {
        const { response, headers } = await run(
          client,
          { ...describeSetup({ ...setup, ...options }), input },
          setup,
          options,
        );
        output = response.output;
        input.push(...(response.output as Item[]));
        return { ...readResponse(response), headers };
      },
    };
  },
  readFailure: readOpenAiFailure,
};

function describeSetup({ model, system, tools, schema, think, maxTokens }: Setup): Omit<Body, 'input'> {
  return omitUndefined({
    model,
    store: false,
    instructions: system,
    max_output_tokens: maxTokens,
    reasoning: think ? { effort: 'high' as const, summary: 'auto' as const } : undefined,
    include: think ? ['reasoning.encrypted_content' as const] : undefined,
    tools: tools?.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
    text: schema
      ? { format: { type: 'json_schema' as const, name: 'answer', strict: true, schema } }
      : undefined,
  });
}

async function run(client: OpenAI, body: Body, { headers }: Setup, { stream, signal, onText }: RunOptions) {
  const request = omitUndefined({ headers, signal });
  if (!stream) {
    const { data, response } = await client.responses.create(body, request).withResponse();
    return { response: data, headers: readHeaders(response) };
  }
  const opened = await client.responses.create({ ...body, stream: true }, request).withResponse();
  let last: OpenAI.Responses.Response | undefined;
  for await (const event of opened.data) {
    if (event.type === 'response.output_text.delta') onText?.(event.delta);
    if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    if (event.type === 'response.completed' || event.type === 'response.incomplete') last = event.response;
  }
  if (!last) throw new Error('the stream ended without its last event');
  return { response: last, headers: readHeaders(opened.response) };
}

function readResponse(response: OpenAI.Responses.Response): Omit<Reply, 'headers'> {
  const { output, usage } = response;
  const texts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const thoughts = output.flatMap((item) => (item.type === 'reasoning' ? item.summary : []));
  return {
    text: texts.map((part) => (part.type === 'output_text' ? part.text : '')).join(''),
    thoughts: thoughts.map((part) => part.text).join(''),
    calls: output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, args: JSON.parse(item.arguments) as unknown }] : [],
    ),
    stop: response.status,
    counts: {
      input: usage?.input_tokens ?? NaN,
      cached: usage?.input_tokens_details.cached_tokens ?? 0,
      output: usage?.output_tokens ?? NaN,
    },
    model: response.model,
    ...readCost(usage),
  };
}

function askWith(text: string, image: string | undefined): Item {
  if (image === undefined) return { role: 'user', content: text };
  const image_url = `data:image/png;base64,${image}`;
  return {
    role: 'user',
    content: [
      { type: 'input_text', text },
      { type: 'input_image', image_url, detail: 'auto' },
    ],
  };
}
