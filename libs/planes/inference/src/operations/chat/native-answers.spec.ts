import { GatewayError } from '@mg/contract';
import { findUpstreamProtocol, type JsonObject, type ProtocolName } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import { TokenCounter } from '../../call/token-counter.js';
import { type ChatAttempt, PreparedChat } from './chat-attempt.js';
import type { ChatRequest } from './chat-request.js';
import { readPartialUsage } from './estimate-usage.js';

const ITEMS = 20_000;
/** Items that are read in one step take a millisecond or two. */
const MOST_IN_A_STEP = 10_000;

/** Items of lists that were read. */
let reads = 0;

const WATCHED: ProxyHandler<unknown[]> = {
  get: (list, name, receiver) => {
    if (typeof name === 'string' && Number.isInteger(Number(name))) reads++;
    return Reflect.get(list, name, receiver) as unknown;
  },
};

function repeat(item: JsonObject, count = ITEMS): unknown[] {
  return new Proxy(
    Array.from({ length: count }, () => item),
    WATCHED,
  );
}

type Write = (stop: string) => JsonObject;

const text = { type: 'text', text: 'ab' };
const parts = () => [{ type: 'message', content: repeat({ type: 'output_text', text: 'ab' }) }];

/** Answers of many items of each kind, the reason why a policy ends one, and one for which a model does. */
const ANSWERS: readonly (readonly [ProtocolName, string, Write, string, string])[] = [
  [
    'openai-chat',
    'calls',
    (stop) => ({
      choices: [
        {
          message: { tool_calls: repeat({ id: 'c', function: { name: 'a', arguments: 'b' } }) },
          finish_reason: stop,
        },
      ],
    }),
    'content_filter',
    'tool_calls',
  ],
  [
    'openai-completions',
    'choices',
    (stop) => ({ choices: repeat({ text: 'ab', finish_reason: stop }) }),
    'content_filter',
    'stop',
  ],
  [
    'anthropic-messages',
    'blocks',
    (stop) => ({ type: 'message', content: repeat(text), stop_reason: stop }),
    'refusal',
    'end_turn',
  ],
  [
    'openai-responses',
    'items',
    (stop) => ({
      status: 'incomplete',
      incomplete_details: { reason: stop },
      output: repeat({ type: 'function_call', call_id: 'c', name: 'a', arguments: 'b' }),
    }),
    'content_filter',
    'max_output_tokens',
  ],
  [
    'openai-responses',
    'parts',
    (stop) => ({ status: 'incomplete', incomplete_details: { reason: stop }, output: parts() }),
    'content_filter',
    'max_output_tokens',
  ],
  [
    'gemini-generate',
    'parts',
    (stop) => ({ candidates: [{ content: { parts: repeat({ text: 'ab' }) }, finishReason: stop }] }),
    'SAFETY',
    'STOP',
  ],
  [
    'bedrock-converse',
    'blocks',
    (stop) => ({ output: { message: { content: repeat({ text: 'ab' }) } }, stopReason: stop }),
    'content_filtered',
    'end_turn',
  ],
];

/** Most items that are read in one turn of the event loop meanwhile. */
async function mostReads(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  reads = 0;
  let timer = setImmediate(function turn() {
    most = Math.max(most, reads);
    reads = 0;
    timer = setImmediate(turn);
  });
  await work();
  clearImmediate(timer);
  return Math.max(most, reads);
}

function prepare(protocol: ProtocolName): PreparedChat {
  const endpoint = { surface: { protocol } } as ChatEndpoint;
  const request = { protocol: { name: protocol }, headers: {}, envelope: {} } as unknown as ChatRequest;
  return new PreparedChat(endpoint, request, {} as ChatAttempt);
}

const isRefusal = (protocol: ProtocolName, parsed: JsonObject) =>
  prepare(protocol).isRefusal([{ contentType: 'application/json', bytes: Buffer.from('{}'), parsed }]);

describe('M5: answers of many items that are forwarded as they are', () => {
  /** Estimates by the bytes, without its thread. */
  const counter = new TokenCounter({ deadlineMs: 1, maxWaiting: 0 });

  it.each(ANSWERS)('are counted in steps where they tell no usage: %s, %s', async (name, _, write) => {
    const request = {
      protocol: {
        *listPromptTexts() {
          yield;
          return [];
        },
      },
      envelope: { parsed: {} },
      body: Buffer.from('{}'),
    } as unknown as ChatRequest;
    let outputTokens = 0;
    const most = await mostReads(async () => {
      const produced = findUpstreamProtocol(name).listProducedTexts(write('end'));
      ({ outputTokens } = (await readPartialUsage(request, undefined, produced, counter)).usage);
    });
    expect(outputTokens).toBe(await counter.count('ab'.repeat(ITEMS)));
    expect(most).toBeLessThanOrEqual(MOST_IN_A_STEP);
  });

  it.each(ANSWERS)(
    'are no refusal, whoever else could be asked: %s, %s',
    (name, _, write, _filtered, ended) => {
      reads = 0;
      expect(isRefusal(name, write(ended))).toBe(false);
      expect(reads).toBeLessThanOrEqual(1);
    },
  );

  it.each(ANSWERS.filter(([, kind]) => kind !== 'choices'))(
    'unless a policy ended all of it: %s, %s',
    (name, _, write, filtered) => {
      expect(isRefusal(name, write(filtered))).toBe(true);
    },
  );

  it.each<[ProtocolName, JsonObject]>([
    ['openai-responses', { status: 'failed', output: [] }],
    ['gemini-generate', { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL' }] }],
    ['gemini-generate', { candidates: [] }],
  ])('and one that failed is the turn of another: %s', (name, answer) => {
    expect(() => isRefusal(name, answer)).toThrow(GatewayError);
  });

  it('of text completions all are looked at, up to some thousands', () => {
    const ended = { text: '', finish_reason: 'content_filter' };
    expect(isRefusal('openai-completions', { choices: repeat(ended, 4_000) })).toBe(true);
    expect(isRefusal('openai-completions', { choices: repeat(ended, 4_001) })).toBe(false);
    expect(isRefusal('openai-completions', { choices: [ended, { text: 'a' }] })).toBe(false);
    expect(isRefusal('openai-completions', { choices: [] })).toBe(false);
  });

  it('a prompt that was blocked is a refusal', () => {
    expect(isRefusal('gemini-generate', { promptFeedback: { blockReason: 'SAFETY' } })).toBe(true);
  });
});
