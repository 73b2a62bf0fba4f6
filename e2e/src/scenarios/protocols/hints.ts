import { formatUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { request } from '../../clients/gateway-client.js';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { slugOver, WIRES, type Wire } from '../../deployment/wires.js';
import { expectedCost } from '../../expected-cost.js';
import { waitForLog } from '../wait-for-log.js';

const [CHAT, RESPONSES, ANTHROPIC, GEMINI] = WIRES as [Wire, Wire, Wire, Wire];
const TURN = { role: 'user', content: 'Hello there' };

interface Ask {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly dropped: string;
}

/** Hints that a channel's protocol has no place for. */
const HINTS: readonly Ask[] = [
  {
    path: '/v1/chat/completions',
    body: { model: slugOver(ANTHROPIC, 'plain'), messages: [TURN], seed: 7, presence_penalty: 0.5 },
    dropped: 'seed,presence_penalty',
  },
  {
    path: '/v1/chat/completions',
    body: { model: slugOver(GEMINI, 'plain'), messages: [TURN], logit_bias: { '50256': -100 } },
    dropped: 'logit_bias',
  },
  {
    path: '/v1/messages',
    body: { model: slugOver(CHAT, 'plain'), messages: [TURN], max_tokens: 64, top_k: 4 },
    dropped: 'top_k',
  },
  {
    path: `/v1beta/models/${slugOver(RESPONSES, 'plain')}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { topK: 4, seed: 7 } },
    dropped: 'generationConfig.topK,generationConfig.seed',
  },
  {
    path: '/v1/responses',
    body: { model: slugOver(GEMINI, 'plain'), input: 'Hi', prompt_cache_key: 'k', truncation: 'auto' },
    dropped: 'prompt_cache_key,truncation',
  },
];

/** What would change the meaning of a call if it were left out, with the field that the refusal names. */
const REFUSED: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>, field: string])[] =
  [
    ['/v1/chat/completions', { model: slugOver(ANTHROPIC, 'plain'), messages: [TURN], n: 2 }, 'n'],
    ['/v1/chat/completions', { model: slugOver(RESPONSES, 'plain'), messages: [TURN], n: 2 }, 'n'],
    [
      '/v1/chat/completions',
      {
        model: slugOver(ANTHROPIC, 'plain'),
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
        ],
      },
      'audio',
    ],
    [
      `/v1beta/models/${slugOver(CHAT, 'plain')}:generateContent`,
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], cachedContent: 'cachedContents/x' },
      'cachedContent',
    ],
  ];

/** Nothing is lost in silence: what a channel cannot carry is named, or refused. */
export function describeHints(get: () => Deployment): void {
  describe('what a channel cannot carry', () => {
    it.each(HINTS)('is named where it only hints: $dropped at $path', async ({ path, body, dropped }) => {
      const answer = await post(path, body);
      expect(answer).toMatchObject({ status: 200 });
      const named = answer.headers.get('x-gateway-dropped') ?? '';
      expect(named.split(',').sort()).toEqual(dropped.split(',').sort());
      const log = await waitForLog(get(), Object.fromEntries(answer.headers.entries()));
      expect(log.attempts[0]?.reason).toContain(`dropped ${named}`);
    });

    it.each(HINTS)(
      'is refused where the caller is strict: $dropped at $path',
      async ({ path, body, dropped }) => {
        const { length } = get().upstream.calls;
        const answer = await post(path, body, { 'x-gateway-strict': '1' });
        expect(answer.status).toBe(400);
        expect(answer.failure.detail.message).toContain(dropped.split(',')[0]);
        expect(get().upstream.calls.length).toBe(length);
      },
    );

    it.each(REFUSED)('is refused where it changes the meaning: %s %o', async (path, body, field) => {
      const { length } = get().upstream.calls;
      const answer = await post(path, body);
      expect(answer).toMatchObject({ status: 400 });
      expect(`${answer.failure.detail.param} ${answer.failure.detail.message}`).toContain(field);
      expect(get().upstream.calls.length).toBe(length);
    });

    it('is nothing where the channel speaks the same protocol, strict or not', async () => {
      const body = { model: slugOver(CHAT, 'plain'), messages: [TURN], seed: 7, logit_bias: { '1': 1 } };
      const answer = await post('/v1/chat/completions', body, { 'x-gateway-strict': '1' });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-gateway-dropped')).toBeNull();
    });
  });

  describe('tokens written to the cache', () => {
    it.each([
      ['/v1/chat/completions', {}, { prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 2 } }],
      [
        '/v1/messages',
        { max_tokens: 64 },
        {
          cache_read_input_tokens: 6,
          cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 1 },
        },
      ],
    ])('are reported and charged on their own at %s', async (path, extra, usage) => {
      const model = slugOver(ANTHROPIC, 'cache-written');
      const answer = await post(path, { model, messages: [TURN], ...extra });
      const call = get().upstream.calls.at(-1);
      expect(call?.cacheWriteTokens).toBe(2);
      expect(JSON.parse(answer.text)).toMatchObject({ usage });
      expect(answer.headers.get('x-gateway-cost')).toBe(call && formatUsd(expectedCost(call)));
    });
  });

  function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return request(get(), path, {
      method: 'POST',
      headers: { 'x-api-key': KEYS.main, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
}
