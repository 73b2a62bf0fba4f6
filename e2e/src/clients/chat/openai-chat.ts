import { omitUndefined } from '@mg/contract';
import OpenAI, { APIError } from 'openai';
import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { createOpenAi, readAll } from '../openai-client.js';
import type { ChatClient, Conversation, Counts, RunOptions, Setup } from './conversation.js';
import { readCost } from './read-cost.js';
import { readHeaders } from './read-headers.js';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
/** Fields of thoughts that the SDK does not know. */
interface ThoughtFields {
  reasoning_content?: string | null;
  reasoning?: string | null;
  reasoning_details?: readonly ThoughtDetail[];
}

interface ThoughtDetail {
  readonly index?: number;
  readonly text?: string;
}

type Body = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

/** OpenAI's SDK, on chat completions. */
export const openaiChat: ChatClient = {
  name: 'openai (chat)',
  stops: { end: 'stop', length: 'length', calls: 'tool_calls' },
  droppedThoughts: 'messages.reasoning_content',
  kinds: {
    badRequest: 'invalid_request',
    wrongKey: 'invalid_api_key',
    forbidden: 'model_not_allowed',
    unknownModel: 'model_not_found',
    upstream: 'upstream_error',
    unavailable: 'upstream_unavailable',
  },
  errorTypes: {
    badRequest: 'BadRequestError',
    upstream: 'InternalServerError',
    unavailable: 'InternalServerError',
  },
  open(deployment, setup): Conversation {
    const client = createOpenAi(deployment, setup.apiKey);
    const messages: Message[] = setup.system ? [{ role: 'system', content: setup.system }] : [];
    return {
      ask: ({ text, image }) => void messages.push(askWith(text, image)),
      answerCalls: (results) => void messages.push(...answerCalls(messages.at(-1), results)),
      run: async (options) => {
        const { answer, thoughts, headers } = await run(
          client,
          { ...describeSetup({ ...setup, ...options }), messages },
          setup,
          options,
        );
        const choice = answer.choices[0];
        if (choice) messages.push(choice.message);
        const { usage, model } = answer;
        return {
          ...readChoice(choice),
          thoughts,
          counts: readCounts(usage),
          model,
          headers,
          ...readCost(usage),
        };
      },
    };
  },
  readFailure: readOpenAiFailure,
  listModels: async (deployment) => {
    const models = await readAll(createOpenAi(deployment).models.list());
    return models.map((model) => model.id);
  },
  showModel: async (deployment, name) => (await createOpenAi(deployment).models.retrieve(name)).id,
};

export function readOpenAiFailure(error: unknown) {
  if (!(error instanceof APIError)) throw error;
  return { status: error.status, type: error.constructor.name, kind: error.code, message: error.message };
}

function describeSetup({ model, tools, schema, think, maxTokens }: Setup): Omit<Body, 'messages'> {
  return omitUndefined({
    model,
    max_completion_tokens: maxTokens,
    reasoning_effort: think ? 'high' : undefined,
    tools: tools?.map((tool) => ({ type: 'function' as const, function: tool })),
    response_format: schema
      ? { type: 'json_schema' as const, json_schema: { name: 'answer', strict: true, schema } }
      : undefined,
  });
}

async function run(client: OpenAI, body: Body, { headers }: Setup, { stream, signal, onText }: RunOptions) {
  const request = omitUndefined({ headers, signal });
  if (!stream) {
    const { data, response } = await client.chat.completions.create(body, request).withResponse();
    const thoughts = readThoughts(data.choices[0]?.message);
    return { answer: data, thoughts, headers: readHeaders(response) };
  }
  const streamed = { ...body, stream: true as const, stream_options: { include_usage: true } };
  const { data, response } = await client.chat.completions.create(streamed, request).withResponse();
  const reader = ChatCompletionStream.fromReadableStream(data.toReadableStream());
  reader.on('content', (piece) => onText?.(piece));
  // Of a field that it does not know, the SDK keeps the last piece: its users put thoughts together themselves.
  let thoughts = '';
  let details: readonly ThoughtDetail[] = [];
  reader.on('chunk', ({ choices: [choice] }) => {
    thoughts += readThoughts(choice?.delta);
    details =
      ((choice?.delta ?? {}) as ThoughtFields).reasoning_details?.reduce(addDetail, details) ?? details;
  });
  signal?.addEventListener('abort', () => data.controller.abort());
  const answer = await reader.finalChatCompletion();
  keepThoughts(answer.choices[0]?.message, thoughts, details);
  return { answer, thoughts, headers: readHeaders(response) };
}

function readChoice(choice: OpenAI.Chat.ChatCompletion.Choice | undefined) {
  const message = choice?.message;
  const calls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function'
      ? [{ name: call.function.name, args: JSON.parse(call.function.arguments) as unknown }]
      : [],
  );
  return { text: message?.content ?? '', calls, stop: choice?.finish_reason };
}

/** Some providers report thoughts under one name, some under another, and some under both. */
function readThoughts(message: object | undefined): string {
  const { reasoning_content: thoughts, reasoning } = (message ?? {}) as ThoughtFields;
  return thoughts ?? reasoning ?? '';
}

/** Pieces of one detail have the same index. */
function addDetail(details: readonly ThoughtDetail[], piece: ThoughtDetail): readonly ThoughtDetail[] {
  const known = details.find(({ index }) => index === piece.index);
  if (!known) return [...details, piece];
  const text = (known.text ?? '') + (piece.text ?? '');
  return details.map((detail) => (detail === known ? { ...known, ...piece, text } : detail));
}

/** Puts whole thoughts where the last piece of them stands, so that the next turn brings them back. */
function keepThoughts(
  message: (ThoughtFields & OpenAI.Chat.ChatCompletionMessage) | undefined,
  thoughts: string,
  details: readonly ThoughtDetail[],
): void {
  if (!message) return;
  if ('reasoning_content' in message) message.reasoning_content = thoughts;
  if ('reasoning' in message) message.reasoning = thoughts;
  if (details.length > 0) message.reasoning_details = details;
}

function readCounts(usage: OpenAI.CompletionUsage | undefined | null): Counts {
  return {
    input: usage?.prompt_tokens ?? NaN,
    cached: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage?.completion_tokens ?? NaN,
  };
}

function askWith(text: string, image: string | undefined): Message {
  if (image === undefined) return { role: 'user', content: text };
  const url = `data:image/png;base64,${image}`;
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image_url', image_url: { url } },
    ],
  };
}

function answerCalls(last: Message | undefined, results: readonly string[]): Message[] {
  const calls = last?.role === 'assistant' ? (last.tool_calls ?? []) : [];
  return calls.map((call, index) => ({ role: 'tool', tool_call_id: call.id, content: results[index] ?? '' }));
}
