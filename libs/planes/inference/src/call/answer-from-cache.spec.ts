import { type CallerToken, type Catalog, formatUsd, parsePrice, type Price, sha256 } from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const CACHE = { 'x-gateway-cache': '60s' };
const OTHERS_KEY = 'sk-somebody-else0000';
const PRICE = { input_per_million: '0.25', output_per_million: '2.00', per_request: '0.000000333' };
const catalog: Catalog = {
  version: 1,
  get channelsBySlug() {
    return new Map(['m', 'other'].map((slug) => [slug, gateway.channels]));
  },
  get models() {
    return new Map(['m', 'other'].map((slug) => [slug, makeModel(slug)]));
  },
};

function makeModel(slug: string) {
  const prices = [{ versionId: `price of ${slug}`, effectiveFrom: 0, price }];
  return { slug, kind: 'chat', createdAt: 0, prices } as unknown as ReturnType<Catalog['models']['get']> & {};
}

let upstream: FakeUpstream;
let gateway: SmallGateway;
let ofToken: Partial<CallerToken>;
let price: Price;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  const tokens = new TokenCache(async (hash) => {
    const walletId = hash === sha256(OTHERS_KEY) ? 'another-wallet' : 'w';
    return { id: walletId, name: 't', walletId, userId: 'u', disabled: false, ...ofToken } as CallerToken;
  });
  ofToken = {};
  price = parsePrice(PRICE);
  gateway = await startSmallGateway('cache', { tokens, catalog: () => catalog });
  gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

async function ask(
  body: object = {},
  headers: Record<string, string> = CACHE,
  path = '/v1/chat/completions',
) {
  const before = gateway.log.length;
  const answer = await gateway.post(path, { ...CHAT, ...body }, headers);
  const text = await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(before + 1);
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    cache: answer.headers.get('x-gateway-cache'),
  };
}

describe('x-gateway-cache', () => {
  it.each([
    ['/v1/chat/completions', false],
    ['/v1/chat/completions', true],
    ['/v1/messages', false],
    ['/v1/messages', true],
  ])(
    'answers an equal call of the wallet as the first one, for nothing: %s, stream %s',
    async (path, stream) => {
      const first = await ask({ stream }, CACHE, path);
      const again = await ask({ stream }, CACHE, path);
      expect([first.cache, again.cache]).toEqual(['miss', 'hit']);
      expect(again.text).toBe(first.text);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
      expect(upstream.calls).toHaveLength(1);
      expect(gateway.log[1]).toMatchObject({
        status: 200,
        reason: 'cached',
        cost: 0n,
        attempts: [],
        model: 'm',
      });
      expect(gateway.journal).toHaveLength(1);
      expect(again.headers.get('x-gateway-cost')).toBe(stream ? null : '0');
    },
  );

  it('never answers another wallet, another body, or who did not ask for it', async () => {
    await ask();
    expect((await ask({}, { ...CACHE, authorization: `Bearer ${OTHERS_KEY}` })).cache).toBe('miss');
    expect((await ask({ temperature: 1 })).cache).toBe('miss');
    expect((await ask({}, {})).cache).toBeNull();
    expect((await ask({}, { 'x-gateway-cache': 'off' })).cache).toBeNull();
    expect(upstream.calls).toHaveLength(5);
  });

  it.each([
    ['error-500', {}],
    ['end-in-stream', { stream: true }],
  ])('keeps nothing of a call that failed: %s', async (behaviour, body) => {
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', behaviour]]) })];
    await ask(body);
    expect((await ask(body)).cache).not.toBe('hit');
    expect(upstream.calls).toHaveLength(2);
  });

  it('is asked for by a token for all of its calls, and a call may say otherwise', async () => {
    ofToken = { cacheMs: 60_000 };
    expect([(await ask({}, {})).cache, (await ask({}, {})).cache]).toEqual(['miss', 'hit']);
    expect((await ask({}, { 'x-gateway-cache': 'off' })).cache).toBeNull();
    expect((await ask({}, { 'x-gateway-cache': '1ms' })).cache).toBe('miss');
  });

  it.each([false, true])('costs its share of the price, charged like any call: stream %s', async (stream) => {
    price = parsePrice({ ...PRICE, cache_share: '0.1' });
    await ask({ stream });
    const again = await ask({ stream });
    expect(again.cache).toBe('hit');
    const [first, hit] = gateway.log;
    const usage = { ...first?.usage, fromCache: true };
    const cost = costOfCall(usage as never, price).total;
    expect(cost).toBeGreaterThan(0n);
    expect(cost).toBeLessThan((first?.cost ?? 0n) / 9n);
    expect(hit).toMatchObject({ reason: 'cached', cost, usage, priceVersionId: 'price of m' });
    expect(gateway.journal[1]).toMatchObject({ phase: 'usage', usage, payer: { walletId: 'w' } });
    expect(again.headers.get('x-gateway-cost')).toBe(stream ? null : formatUsd(cost));
  });

  it('is refused where its share cannot be paid', async () => {
    price = parsePrice({ ...PRICE, cache_share: '1' });
    await ask();
    const openHold = vi.spyOn(gateway.context.wallet, 'openHold');
    openHold.mockResolvedValue({ refused: 'insufficient_balance', message: 'No funds.' } as never);
    const { status } = await ask();
    expect(status).toBe(402);
    expect(gateway.journal).toHaveLength(1);
  });

  it('gives an answer of a fallback model to those alone who may use it', async () => {
    gateway.channels = [
      makeChannel('c', {
        baseUrl: upstream.url,
        models: new Map([
          ['m', 'error-500'],
          ['other', 'plain'],
        ]),
      }),
    ];
    const headers = { ...CACHE, 'x-gateway-fallback': 'other' };
    expect((await ask({}, headers)).headers.get('x-gateway-model')).toBe('other');
    const again = await ask({}, headers);
    expect([again.cache, again.headers.get('x-gateway-model')]).toEqual(['hit', 'other']);
    ofToken = { allowedModels: new Set(['m']) };
    gateway.context.tokens.forgetAll();
    expect((await ask({}, headers)).status).toBe(403);
  });

  it.each(['yes', '0s', '25h', '60'])('%s is refused', async (header) => {
    const { status, text } = await ask({}, { 'x-gateway-cache': header });
    expect(status).toBe(400);
    expect(text).toContain('"param":"x-gateway-cache"');
  });

  it('lets a client that leaves a stream stop it, and keeps nothing of it', async () => {
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'endless']]) })];
    const client = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...CACHE },
      body: JSON.stringify({ ...CHAT, stream: true }),
      signal: client.signal,
    });
    await answer.body?.getReader().read();
    client.abort();
    await expect.poll(() => gateway.log[0]?.reason, WITHIN).toBe('client_aborted');
    await expect.poll(() => upstream.calls[0]?.aborted, WITHIN).toBe(true);
  });
});
