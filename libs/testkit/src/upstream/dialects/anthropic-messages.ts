import { type Answer, type Choice, joinPieces } from '../answer.js';
import { isObject, readText } from '../json.js';
import type { Billed } from '../usage.js';
import { readMessagesRequest, signMessage } from './anthropic-request.js';
import {
  type Dialect,
  type ErrorFacts,
  silentEvent,
  type StreamEvent,
  type AnswerContext,
} from './dialect.js';
import { readBearer } from './read-bearer.js';

/** Anthropic's messages. */
export const anthropicMessages: Dialect = {
  path: /^(\/v1)?\/messages$/,
  style: { done: false },
  readKey: (headers) => String(headers['x-api-key'] ?? readBearer(headers)),
  readModel: ({ body }) => (isObject(body) ? readText(body['model']) : ''),
  readRequest: readMessagesRequest,
  composeEvents,
  describeAnswer,
  describeError: (status, facts) => describeError(status, facts),
  describeErrorEvent: (facts) => ({ name: 'error', body: describeError(500, facts) }),
  counting: {
    path: /^(\/v1)?\/messages\/count_tokens$/,
    toChat: (arrival) =>
      isObject(arrival.body) ? { ...arrival, body: { ...arrival.body, max_tokens: 1 } } : arrival,
    describe: (tokens) => ({ input_tokens: tokens }),
  },
};

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const STOP_REASONS = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const;

function describeError(status: number, { message }: ErrorFacts): unknown {
  const type = ERROR_TYPES[status] ?? 'api_error';
  return { type: 'error', error: { type, message }, request_id: 'req_011CFake' };
}

function describeAnswer({ answer, identity, billed }: AnswerContext): unknown {
  const [choice] = answer.choices;
  return {
    ...describeMessage(identity),
    content: choice ? listBlocks(choice) : [],
    stop_reason: choice ? STOP_REASONS[choice.finishReason] : null,
    usage: describeUsage(billed),
  };
}

function describeMessage({ id, model }: AnswerContext['identity']) {
  return {
    model,
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    content: [] as unknown[],
    stop_reason: null as string | null,
    stop_sequence: null,
  };
}

/** Input leaves out what the cache had or got; output includes reasoning. */
function describeUsage(billed: Readonly<Billed>) {
  const { promptTokens, cachedTokens, cacheWriteTokens, cacheWrite1hTokens, completionTokens } = billed;
  return {
    input_tokens: promptTokens - cachedTokens - cacheWriteTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens - cacheWrite1hTokens,
      ephemeral_1h_input_tokens: cacheWrite1hTokens,
    },
    output_tokens: completionTokens,
    service_tier: 'standard',
  };
}

function listBlocks(choice: Choice): unknown[] {
  const thought = joinPieces(choice.reasoning);
  const text = joinPieces(choice.text);
  return [
    ...(thought === '' ? [] : [{ type: 'thinking', thinking: thought, signature: signMessage(thought) }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...choice.toolCalls.map((call) => ({
      type: 'tool_use',
      id: nameCall(call.id),
      name: call.name,
      input: JSON.parse(joinPieces(call.fragments)) as unknown,
    })),
  ];
}

function nameCall(id: string): string {
  return id.replace('call_', 'toolu_');
}

function* composeEvents({ answer, identity, billed }: AnswerContext): Generator<StreamEvent> {
  const message = { ...describeMessage(identity), usage: describeUsage(openBill(answer)) };
  yield named({ type: 'message_start', message });
  const [choice] = answer.choices;
  let index = 0;
  for (const block of choice ? listStreamedBlocks(choice) : []) {
    yield named({ type: 'content_block_start', index, content_block: block.opening });
    if (index === 0) yield named({ type: 'ping' });
    for (const { delta, text, tokens, reasoningTokens } of block.deltas) {
      yield { ...named({ type: 'content_block_delta', index, delta }), text, tokens, reasoningTokens };
    }
    yield named({ type: 'content_block_stop', index });
    index += 1;
  }
  const { cache_creation: _, service_tier: __, ...usage } = describeUsage(billed);
  const stop = { stop_reason: choice ? STOP_REASONS[choice.finishReason] : null, stop_sequence: null };
  yield named({ type: 'message_delta', delta: stop, usage });
  yield named({ type: 'message_stop' });
}

/** The first event reports the prompt, and one token of the answer to come. */
function openBill(answer: Answer): Billed {
  const { promptTokens, cachedTokens, cacheWriteTokens, cacheWrite1hTokens } = answer;
  const prompt = { promptTokens, cachedTokens, cacheWriteTokens, cacheWrite1hTokens };
  return { ...prompt, completionTokens: 1, reasoningTokens: 0 };
}

interface StreamedBlock {
  readonly opening: unknown;
  readonly deltas: readonly (Pick<StreamEvent, 'text' | 'tokens' | 'reasoningTokens'> & { delta: unknown })[];
}

function listStreamedBlocks({ reasoning, text, toolCalls }: Choice): StreamedBlock[] {
  const blocks: StreamedBlock[] = [];
  if (reasoning.length > 0) {
    const signature = signMessage(joinPieces(reasoning));
    const thoughts = reasoning.map((piece) => ({
      ...piece,
      delta: { type: 'thinking_delta', thinking: piece.text },
      reasoningTokens: piece.tokens,
    }));
    const signed = { delta: { type: 'signature_delta', signature }, text: '', tokens: 0, reasoningTokens: 0 };
    blocks.push({
      opening: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...thoughts, signed],
    });
  }
  if (text.length > 0) {
    const deltas = text.map((piece) => ({
      ...piece,
      delta: { type: 'text_delta', text: piece.text },
      reasoningTokens: 0,
    }));
    blocks.push({ opening: { type: 'text', text: '' }, deltas });
  }
  for (const call of toolCalls) {
    const opening = { type: 'tool_use', id: nameCall(call.id), name: call.name, input: {} };
    const fragments = call.fragments.map((piece) => ({
      ...piece,
      delta: { type: 'input_json_delta', partial_json: piece.text },
      reasoningTokens: 0,
    }));
    blocks.push({ opening, deltas: fragments });
  }
  return blocks;
}

function named(body: { readonly type: string; readonly [field: string]: unknown }): StreamEvent {
  return silentEvent(body, body.type);
}
