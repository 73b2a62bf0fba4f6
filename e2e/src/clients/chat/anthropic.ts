import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { omitUndefined } from '@mg/contract';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { readAll } from '../openai-client.js';
import type { ChatClient, Conversation, Reply, RunOptions, Setup } from './conversation.js';
import { readCost } from './read-cost.js';
import { readHeaders } from './read-headers.js';

type Body = Anthropic.MessageCreateParamsNonStreaming;

const DEFAULT_MAX_TOKENS = 4_096;
const BUDGET_TOKENS = 2_048;

/** The official client, changed in nothing but its address and key. Its own retries are off. */
export function createAnthropic(deployment: Deployment, apiKey: string = KEYS.main): Anthropic {
  return new Anthropic({ baseURL: deployment.gatewayUrl, apiKey, maxRetries: 0, timeout: 20_000 });
}

/** Anthropic's SDK. */
export const anthropic: ChatClient = {
  name: 'anthropic',
  stops: { end: 'end_turn', length: 'max_tokens', calls: 'tool_use' },
  droppedThoughts: 'messages.thinking',
  kinds: {
    badRequest: 'invalid_request_error',
    wrongKey: 'authentication_error',
    forbidden: 'permission_error',
    unknownModel: 'not_found_error',
    upstream: 'api_error',
    unavailable: 'overloaded_error',
  },
  errorTypes: {
    badRequest: 'BadRequestError',
    upstream: 'InternalServerError',
    unavailable: 'ServiceUnavailableError',
  },
  open(deployment, setup): Conversation {
    const client = createAnthropic(deployment, setup.apiKey);
    const messages: Anthropic.MessageParam[] = [];
    let content: readonly Anthropic.ContentBlock[] = [];
    return {
      ask: ({ text, image }) => void messages.push(askWith(text, image)),
      answerCalls: (results) => {
        const calls = content.filter((block) => block.type === 'tool_use');
        const blocks = calls.map(({ id }, index) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: results[index] ?? '',
        }));
        messages.push({ role: 'user', content: blocks });
      },
      run: async (options) => {
        const { message, headers, cost } = await run(
          client,
          { ...describeSetup({ ...setup, ...options }), messages },
          setup,
          options,
        );
        content = message.content;
        messages.push({ role: 'assistant', content: message.content });
        return { ...readMessage(message), headers, ...cost };
      },
    };
  },
  readFailure: (error) => {
    if (!(error instanceof APIError)) throw error;
    const body = error.error as { error?: { type?: string } } | undefined;
    return {
      status: error.status,
      type: error.constructor.name,
      kind: body?.error?.type,
      message: error.message,
    };
  },
  listModels: async (deployment) => {
    const models = await readAll(createAnthropic(deployment).models.list());
    return models.map((model) => model.id);
  },
  showModel: async (deployment, name) =>
    (await createAnthropic(deployment).models.retrieve(name)).display_name,
};

function describeSetup({ model, system, tools, schema, think, maxTokens }: Setup): Omit<Body, 'messages'> {
  return omitUndefined({
    model,
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    system,
    thinking: think ? { type: 'enabled' as const, budget_tokens: BUDGET_TOKENS } : undefined,
    tools: tools?.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
    output_config: schema ? { format: { type: 'json_schema' as const, schema } } : undefined,
  });
}

async function run(
  client: Anthropic,
  body: Body,
  { headers }: Setup,
  { stream, signal, onText }: RunOptions,
) {
  const request = omitUndefined({ headers, signal });
  if (!stream) {
    const { data, response } = await client.messages.create(body, request).withResponse();
    return { message: data, headers: readHeaders(response), cost: {} };
  }
  const reader = client.messages.stream(body, request);
  reader.on('text', (piece) => onText?.(piece));
  // The SDK keeps those members of usage alone that it knows.
  let cost: ReturnType<typeof readCost> = {};
  reader.on('streamEvent', (event) => {
    if (event.type === 'message_delta') cost = readCost(event.usage);
  });
  const message = await reader.finalMessage();
  const { response } = await reader.withResponse();
  return { message, headers: readHeaders(response), cost };
}

function readMessage({ content, stop_reason, usage, model }: Anthropic.Message): Omit<Reply, 'headers'> {
  const cached = usage.cache_read_input_tokens ?? 0;
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    thoughts: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
    ),
    stop: stop_reason,
    counts: {
      input: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
      cached,
      output: usage.output_tokens,
    },
    model,
  };
}

function askWith(text: string, image: string | undefined): Anthropic.MessageParam {
  if (image === undefined) return { role: 'user', content: text };
  return {
    role: 'user',
    content: [
      { type: 'text', text },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } },
    ],
  };
}
