import { type CallerToken, type Limits, nextSequence, scopeLimits, sha256 } from '@mg/contract';
import { createGate, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallsInFlight } from '../access/calls-in-flight.js';
import { Funds } from '../access/funds.js';
import { TokenCache } from '../access/token-cache.js';
import { ChannelQueue } from '../limits/channel-queue.js';
import { Limiter } from '../limits/limiter.js';
import { makeChannel, NO_REDIS, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hello' }] };

let upstream: FakeUpstream;
let gateway: SmallGateway;
let limits: Limits;

beforeEach(async () => {
  limits = {};
  upstream = await startFakeUpstream();
  gateway = await startSmallGateway('limits', {
    tokens: new TokenCache(async (keyHash) => (keyHash === sha256(gateway.key) ? makeToken() : undefined)),
    funds: new Funds(async () => ({ balance: 1n, held: 0n, creditLimit: 0n, quota: undefined, used: 0n })),
  });
  gateway.channels = [makeChannel('one', { baseUrl: upstream.url })];
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

function makeToken(): CallerToken {
  const scoped = scopeLimits('token', 't', limits, nextSequence());
  return {
    id: 't',
    name: 'test',
    walletId: 'w',
    userId: 'u',
    disabled: false,
    limits: scoped && [scoped],
  } as unknown as CallerToken;
}

function limitedChannel(name: string, of: Limits, facts: Parameters<typeof makeChannel>[1] = {}) {
  const channel = makeChannel(name, { baseUrl: upstream.url, ...facts });
  return { ...channel, limits: scopeLimits('channel', channel.id, of, nextSequence()) };
}

const chat = (more: object = {}) => gateway.post('/v1/chat/completions', { ...CHAT, ...more });

describe('a key with limits', () => {
  it('gets what is left on every answer, and 429 with Retry-After beyond', async () => {
    limits = { rpm: 2, tpm: 100_000 };
    const first = await chat({ max_tokens: 50 });
    expect(first.status).toBe(200);
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2');
    expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1');
    expect(first.headers.get('x-ratelimit-limit-tokens')).toBe('100000');
    const streamed = await chat({ stream: true, max_tokens: 50 });
    await streamed.text();
    expect(streamed.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    const refused = await chat();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      detail: {
        code: 'rate_limited',
        message: "This API key's limit of 2 requests per minute is reached.",
      },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('0');
  });

  it('is held to them for answers from the cache, too', async () => {
    limits = { rpm: 2 };
    const ask = () => gateway.post('/v1/chat/completions', CHAT, { 'x-gateway-cache': '60s' });
    expect((await ask()).headers.get('x-gateway-cache')).toBe('miss');
    await expect.poll(() => gateway.log.length).toBe(1);
    const cached = await ask();
    expect([cached.status, cached.headers.get('x-gateway-cache')]).toEqual([200, 'hit']);
    expect(cached.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect((await ask()).status).toBe(429);
    expect(upstream.calls).toHaveLength(1);
  });

  it('sees the request itself counted in the answer of a call that costs nothing', async () => {
    limits = { rpm: 2 };
    const count = () => gateway.post('/v1/messages/count_tokens', CHAT);
    const remaining = 'anthropic-ratelimit-requests-remaining';
    const first = await count();
    expect([first.status, first.headers.get(remaining)]).toEqual([200, '1']);
    await count();
    const refused = await count();
    expect([refused.status, refused.headers.get(remaining)]).toEqual([429, '0']);
  });

  it('reads them in the words of Anthropic where it speaks that protocol, on errors and lists too', async () => {
    limits = { rpm: 5 };
    const wrong = await gateway.post('/v1/messages', { model: 'm' });
    expect(wrong.status).toBe(400);
    expect(wrong.headers.get('anthropic-ratelimit-requests-limit')).toBe('5');
    expect(wrong.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
    const listed = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${gateway.key}` },
    });
    expect(listed.headers.get('x-ratelimit-remaining-requests')).toBe('5');
  });

  it('has tokens back that a call did not use', async () => {
    limits = { tpm: 4_000 };
    for (let call = 0; call < 3; call++) expect((await chat({ max_tokens: 3_000 })).status).toBe(200);
    const { headers } = await chat({ max_tokens: 3_000 });
    expect(Number(headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(1_000);
  });

  it('may leave out a cap: the answer is no longer than the limit', async () => {
    limits = { tpm: 4_000 };
    expect((await chat()).status).toBe(200);
    expect(upstream.calls.at(-1)?.body).toMatchObject({ max_tokens: expect.any(Number) });
    const refused = await chat({ max_tokens: 5_000 });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      detail: { code: 'invalid_request', reason: 'rate_limited' },
    });
  });

  it('runs as many calls at once as it may, and the next once one has ended', async () => {
    limits = { concurrency: 1 };
    const gate = createGate();
    upstream.script('m', { wait: () => gate.wait() });
    const running = chat();
    await expect.poll(() => upstream.calls.length).toBe(1);
    const refused = await chat();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    gate.open();
    expect((await running).status).toBe(200);
    expect((await chat()).status).toBe(200);
  });
});

describe('a key without limits', () => {
  it('has a share of the calls of a gateway, and no more', async () => {
    await gateway.close();
    gateway = await startSmallGateway('limits', { inFlight: new CallsInFlight(2) });
    gateway.channels = [makeChannel('one', { baseUrl: upstream.url })];
    const gate = createGate();
    upstream.script('m', { wait: () => gate.wait() });
    const running = [chat(), chat()];
    await expect.poll(() => upstream.calls.length).toBe(2);
    const refused = await chat();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    gate.open();
    for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
    expect((await chat()).status).toBe(200);
  });

  it('gets no header about them', async () => {
    const { headers } = await chat();
    expect([...headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('a channel with limits', () => {
  it('is passed over at its limit, and the log says why', async () => {
    gateway.channels = [
      limitedChannel('one', { rpm: 1 }),
      makeChannel('two', { baseUrl: upstream.url, priority: -1 }),
    ];
    expect((await chat()).status).toBe(200);
    expect((await chat()).status).toBe(200);
    await expect.poll(() => gateway.log.length).toBe(2);
    expect(gateway.log[1]?.attempts).toMatchObject([
      { channel: 'one', reason: "not asked: the channel's limit of 1 requests per minute is reached" },
      { channel: 'two', outcome: 'served' },
    ]);
  });

  it('counts every request that it is sent, also with another of its keys', async () => {
    const keys = { apiKeys: ['sk-upstream-first', 'sk-upstream-second'] };
    gateway.channels = [limitedChannel('one', { rpm: 1 }, keys)];
    upstream.script('m', { failure: { kind: 'reply', status: 429, body: '{}' } }, {});
    const answer = await chat();
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('over its rate limit');
    expect(upstream.calls).toHaveLength(1);
    await expect.poll(() => gateway.log.length).toBe(1);
    expect(gateway.log[0]?.attempts.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('429'),
      expect.stringContaining("not asked: the channel's limit of 1 requests per minute is reached"),
    ]);
  });

  it('is not asked to count tokens beyond its limit: they are counted here', async () => {
    gateway.channels = [limitedChannel('one', { rpm: 1, concurrency: 1 }, { type: 'anthropic' })];
    const count = () => gateway.post('/v1/messages/count_tokens', CHAT);
    const [first, second] = [await count(), await count()];
    expect([first.status, first.headers.get('x-gateway-estimated')]).toEqual([200, null]);
    expect([second.status, second.headers.get('x-gateway-estimated')]).toEqual([200, 'true']);
    expect(upstream.calls).toHaveLength(1);
  });

  it.each([
    [404, 'No such File object: file-abc', 200],
    [400, 'messages: at least one message is required', 400],
  ])('of an upstream that answers a count with %i %s: %i', async (status, message, expected) => {
    gateway.channels = [limitedChannel('one', {}, { type: 'anthropic' })];
    const body = { type: 'error', error: { type: 'invalid_request_error', message } };
    upstream.script('m', { failure: { kind: 'reply', status, body } });
    const answer = await gateway.post('/v1/messages/count_tokens', CHAT);
    expect([answer.status, answer.headers.get('x-gateway-estimated')]).toEqual([
      expected,
      expected === 200 ? 'true' : null,
    ]);
  });

  it('has callers wait for their turn, in order of arrival', async () => {
    gateway.channels = [limitedChannel('one', { concurrency: 1 })];
    const gate = createGate();
    upstream.script('m', { wait: () => gate.wait() }, {});
    const first = chat();
    await expect.poll(() => upstream.calls.length).toBe(1);
    const ended: number[] = [];
    const waiting = [1, 2, 3].map((place) => chat().then(({ status }) => ended.push(place * 1_000 + status)));
    gate.open();
    await Promise.all([first, ...waiting]);
    expect(ended).toEqual([1_200, 2_200, 3_200]);
  });

  it('sends callers away with 429 and Retry-After when none is free in time', async () => {
    await gateway.close();
    const limiter = new Limiter(NO_REDIS, new ChannelQueue(undefined, 200));
    gateway = await startSmallGateway('limits', { limiter });
    gateway.channels = [limitedChannel('one', { concurrency: 1 }), limitedChannel('two', { concurrency: 1 })];
    const gate = createGate();
    upstream.script('m', { wait: () => gate.wait() });
    const running = [chat(), chat()];
    await expect.poll(() => upstream.calls.length).toBe(2);
    const refused = await chat();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await refused.json()).toMatchObject({
      detail: {
        code: 'rate_limited',
        message: 'Every channel of the model "m" is at its limit at the moment.',
      },
    });
    expect(upstream.calls).toHaveLength(2);
    gate.open();
    for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
  });
});
