import {
  type CallerToken,
  type Catalog,
  type Channel,
  type FallbackCause,
  type HoldRequest,
  type Limits,
  type LimitScope,
  type Model,
  nextSequence,
  omitUndefined,
  parsePrice,
  scopeLimits,
  sha256,
} from '@mg/contract';
import { RetryBudget } from '@mg/routing';
import { createGate, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TokenCache } from '../access/token-cache.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import type { GatewayContext } from './gateway-context.js';

const WITHIN = { timeout: 30_000 };
const CHAT = { model: 'cheap', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const PRICES: Readonly<Record<string, string>> = { cheap: '0.1', dear: '0.3', third: '0.2' };
const PATH = '/v1/chat/completions';
const NANO = 100_000_000n;
const scope = (of: LimitScope, id: string, limits: Limits) => scopeLimits(of, id, limits, nextSequence());

let upstream: FakeUpstream;
let gateway: SmallGateway;
let holds: HoldRequest[];
let repriced: string[];
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

interface Setup {
  /** What the channels of each model do. */
  readonly models: Readonly<Record<string, readonly string[]>>;
  readonly fallback?: readonly string[];
  readonly on?: readonly FallbackCause[];
  readonly caller?: Partial<CallerToken>;
  readonly canReprice?: boolean;
  readonly retries?: RetryBudget;
  /** Of models. */
  readonly limits?: Readonly<Record<string, Limits>>;
  /** Of the channels of each model, or of one by its name. */
  readonly channelLimits?: Readonly<Record<string, Limits>>;
  /** What the wallet has; everything by default. */
  readonly funds?: bigint;
}

async function start({
  models,
  fallback,
  on,
  caller,
  canReprice = true,
  funds,
  retries,
  limits = {},
  channelLimits = {},
}: Setup): Promise<void> {
  holds = [];
  repriced = [];
  const channelsBySlug = new Map<string, Channel[]>();
  for (const [slug, behaviours] of Object.entries(models)) {
    const channels = behaviours.map((behaviour, index) => {
      const facts = { baseUrl: upstream.url, models: new Map([[slug, behaviour]]), priority: -index };
      const channel = makeChannel(`${slug}-${index}`, facts);
      const own = scope('channel', channel.id, channelLimits[channel.name] ?? channelLimits[slug] ?? {});
      return { ...channel, ...omitUndefined({ limits: own }) };
    });
    if (channels.length > 0) channelsBySlug.set(slug, channels);
  }
  const catalog = {
    version: 1,
    channelsBySlug,
    models: new Map(
      Object.keys(models).map((slug) => [
        slug,
        { ...makeModel(slug, fallback, on), limits: scope('model', slug, limits[slug] ?? {}) },
      ]),
    ),
  } as unknown as Catalog;
  const token = { id: 't', name: 't', walletId: 'w', userId: 'u', disabled: false, ...caller };
  const key = 'sk-fallback00000000';
  gateway = await startSmallGateway('fallback', {
    ...omitUndefined({ retries }),
    catalog: () => catalog,
    tokens: new TokenCache(async (hash) => (hash === sha256(key) ? (token as CallerToken) : undefined)),
    wallet: {
      openHold: async (request: HoldRequest) => {
        holds.push(request);
        if (funds !== undefined && request.minimum > funds) {
          return { refused: 'insufficient_balance', message: 'The balance is too low.' };
        }
        const granted = funds === undefined || funds > request.wanted ? request.wanted : funds;
        return { granted };
      },
      repriceHold: async (_owner: unknown, _id: string, version: string) => {
        repriced.push(version);
        return canReprice;
      },
    } as unknown as GatewayContext['wallet'],
  });
}

function makeModel(slug: string, fallback?: readonly string[], fallbackOn?: readonly FallbackCause[]): Model {
  return {
    slug,
    kind: 'chat',
    createdAt: 0,
    fallback: slug === 'cheap' ? fallback : undefined,
    fallbackOn,
    prices: [{ versionId: `price-${slug}`, effectiveFrom: 0, price: priceOf(slug) }],
  } as unknown as Model;
}

const priceOf = (slug: string) => parsePrice({ per_request: PRICES[slug] ?? '0' });

/** The model that an answer is from. */
const nameServed = ({ ok, headers }: Response) => ok && headers.get('x-gateway-model');

async function ask(headers: Record<string, string> = {}, body: object = {}) {
  const answer = await gateway.post(PATH, { ...CHAT, ...body }, headers);
  const text = await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(1);
  return { status: answer.status, headers: answer.headers, text, log: gateway.log[0] };
}

describe('fallback models', () => {
  it.each([false, true])('answer when every channel of the model failed (stream: %s)', async (stream) => {
    await start({ models: { cheap: ['error-500', 'error-503'], dear: ['plain'] }, fallback: ['dear'] });
    const { status, headers, log } = await ask({}, { stream });
    expect(status).toBe(200);
    expect(headers.get('x-gateway-model')).toBe('dear');
    expect(headers.get('x-gateway-attempts')).toBe('3');
    expect(log).toMatchObject({ model: 'dear', cost: 3n * NANO, priceVersionId: 'price-dear' });
    expect(log?.attempts.map(({ channel, outcome }) => [channel, outcome])).toEqual([
      ['cheap-0', 'failed'],
      ['cheap-1', 'failed'],
      ['dear-0', 'served'],
    ]);
    expect(log?.attempts[2]?.reason).toMatch(/^model dear after failure of cheap; priority 0/);
    expect(holds.map(({ wanted, model }) => [wanted, model])).toEqual([[3n * NANO, 'cheap']]);
    expect(repriced).toEqual(['price-dear']);
    expect(gateway.journal).toMatchObject([{ phase: 'usage', payer: { priceVersionId: 'price-dear' } }]);
    expect(
      gateway.journal[0]?.waste?.map(({ channel, priceVersionId }) => [channel, priceVersionId]),
    ).toEqual([['cheap-0', 'price-cheap']]);
  });

  it('are not asked while the model answers, which is charged by its own price', async () => {
    await start({ models: { cheap: ['plain'], dear: ['plain'] }, fallback: ['dear'] });
    const { headers, log } = await ask();
    expect(headers.get('x-gateway-model')).toBe('cheap');
    expect(log).toMatchObject({ model: 'cheap', cost: NANO, priceVersionId: 'price-cheap' });
    expect(repriced).toEqual([]);
  });

  it('are passed over where their own limits are reached', async () => {
    await start({
      models: { cheap: ['error-500'], dear: ['plain'] },
      fallback: ['dear'],
      limits: { dear: { rpm: 1 } },
    });
    expect((await ask()).status).toBe(200);
    expect((await gateway.post(PATH, CHAT)).status).toBe(502);
    await expect.poll(() => gateway.log.length, WITHIN).toBe(2);
    expect(gateway.log[1]?.attempts.map(({ channel }) => channel)).toEqual(['cheap-0']);
  });

  it('count once for their limits where the model asked for has no channel', async () => {
    await start({ models: { cheap: [], dear: ['plain'] }, fallback: ['dear'], limits: { dear: { rpm: 2 } } });
    expect((await ask()).status).toBe(200);
    expect((await gateway.post(PATH, CHAT)).status).toBe(200);
    expect((await gateway.post(PATH, CHAT)).status).toBe(429);
  });

  it('are asked in their order, and the last error is that of the model asked for', async () => {
    await start({
      models: { cheap: ['error-500'], dear: ['error-503'], third: ['error-429'] },
      fallback: ['third', 'dear'],
    });
    const { status, log } = await ask();
    expect(status).toBe(502);
    expect(log?.attempts.map(({ channel }) => channel)).toEqual(['cheap-0', 'third-0', 'dear-0']);
    expect(log).toMatchObject({ model: 'cheap', cost: 0n, priceVersionId: 'price-cheap' });
    expect(gateway.journal).toMatchObject([{ phase: 'cancel' }]);
  });

  it('answer for a model that no channel serves', async () => {
    await start({ models: { cheap: [], third: ['plain'] }, fallback: ['third'] });
    const { status, log } = await ask();
    expect([status, log?.model, log?.cost]).toEqual([200, 'third', 2n * NANO]);
    expect(holds.map(({ model }) => model)).toEqual(['third']);
  });

  it.each<[FallbackCause[], string, number]>([
    [['context'], 'error-400-context', 200],
    [['failure'], 'error-400-context', 400],
    [['refusal'], 'error-400-policy', 200],
    [['failure', 'context'], 'error-400-policy', 400],
    [['context', 'refusal'], 'error-500', 502],
    [['failure', 'context', 'refusal'], 'error-400-parameter', 400],
  ])('on %j after %s: %i', async (on, behaviour, expected) => {
    await start({ models: { cheap: [behaviour], dear: ['plain'] }, fallback: ['dear'], on });
    expect((await ask()).status).toBe(expected);
  });

  it('on refusal answer in place of an answer that is nothing but one', async () => {
    const refused = {
      id: 'r',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'content_filter' }],
      usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
    };
    const setup = { models: { cheap: ['refuses'], dear: ['plain'] }, fallback: ['dear'] } as const;
    const reply = { failure: { kind: 'reply', status: 200, body: refused } } as const;
    await start({ ...setup, on: ['refusal'] });
    upstream.script('refuses', reply);
    expect((await ask()).log).toMatchObject({ model: 'dear', attempts: [{ outcome: 'failed' }, {}] });
    await gateway.close();
    await start({ ...setup, on: ['failure'] });
    upstream.script('refuses', reply);
    expect((await ask()).text).toContain('content_filter');
  });

  it('answer at once when every channel of the model is at its own limit', async () => {
    await start({
      models: { cheap: ['plain', 'plain'], third: ['plain'], dear: ['plain'] },
      fallback: ['third', 'dear'],
      channelLimits: { cheap: { rpm: 1 }, third: { rpm: 1 } },
    });
    const served: (string | undefined)[] = [];
    for (let count = 1; count <= 4; count++) {
      const answer = await gateway.post(PATH, CHAT);
      expect(answer.status).toBe(200);
      await answer.text();
      await expect.poll(() => gateway.log.length, WITHIN).toBe(count);
      served.push(gateway.log.at(-1)?.model);
    }
    expect(served).toEqual(['cheap', 'cheap', 'third', 'dear']);
    const full = "not asked: the channel's limit of 1 requests per minute is reached";
    expect(gateway.log[3]).toMatchObject({ cost: 3n * NANO, priceVersionId: 'price-dear' });
    expect(gateway.log[3]?.attempts).toMatchObject([
      { channel: 'cheap-0', reason: full },
      { channel: 'cheap-1', reason: full },
      { channel: 'third-0', reason: full },
      { channel: 'dear-0', outcome: 'served', reason: expect.stringContaining('failure of cheap') as string },
    ]);
    expect(gateway.log[3]?.latencyMs).toBeLessThan(9_000);
  });

  it('answer when one channel failed and the others are at their own limits, of this model and of the next', async () => {
    await start({
      models: { cheap: ['error-500', 'plain'], third: ['plain'], dear: ['plain'] },
      fallback: ['third', 'dear'],
      channelLimits: { 'cheap-1': { rpm: 1 }, third: { rpm: 1 } },
    });
    for (const served of ['cheap', 'third', 'dear']) {
      const answer = await gateway.post(PATH, CHAT);
      expect([answer.status, answer.headers.get('x-gateway-model')]).toEqual([200, served]);
    }
  });

  it('are no way around the limits of the key, and no reason not to wait where they are full as well', async () => {
    await start({
      models: { cheap: ['plain'], dear: ['plain'] },
      fallback: ['dear'],
      caller: { limits: [scope('token', 't', { rpm: 1 })] } as Partial<CallerToken>,
      channelLimits: { cheap: { rpm: 10 }, dear: { rpm: 10 } },
    });
    expect((await gateway.post(PATH, CHAT)).status).toBe(200);
    expect((await gateway.post(PATH, CHAT)).status).toBe(429);
    await gateway.close();
    upstream.reset();
    const gate = createGate();
    await start({
      models: { cheap: ['waits'], dear: ['waits'] },
      fallback: ['dear'],
      channelLimits: { cheap: { concurrency: 1 }, dear: { concurrency: 1 } },
    });
    upstream.script('waits', { wait: () => gate.wait() }, { wait: () => gate.wait() }, {});
    const running = [gateway.post(PATH, CHAT)];
    await expect.poll(() => upstream.calls.length, WITHIN).toBe(1);
    running.push(gateway.post(PATH, CHAT));
    await expect.poll(() => upstream.calls.length, WITHIN).toBe(2);
    running.push(gateway.post(PATH, CHAT));
    await expect.poll(() => gateway.context.limiter.channelQueue.hasWaiting('cheap'), WITHIN).toBe(true);
    gate.open();
    const answers = await Promise.all(running);
    expect(answers.map(nameServed)).toEqual(['cheap', 'dear', 'cheap']);
  });

  it('are no reason to refuse a caller who can pay for the model asked for alone: the call waits for it, and counts once', async () => {
    const gate = createGate();
    await start({
      models: { cheap: ['waits'], dear: ['plain'] },
      fallback: ['dear'],
      limits: { dear: { concurrency: 1 } },
      channelLimits: { cheap: { concurrency: 1 } },
      caller: { limits: [scope('token', 't', { rpm: 3 })] } as Partial<CallerToken>,
      funds: NANO,
    });
    upstream.script('waits', { wait: () => gate.wait() }, {});
    const running = [gateway.post(PATH, CHAT)];
    await expect.poll(() => upstream.calls.length, WITHIN).toBe(1);
    running.push(gateway.post(PATH, CHAT));
    await expect.poll(() => gateway.context.limiter.channelQueue.hasWaiting('cheap'), WITHIN).toBe(true);
    expect((await gateway.post(PATH, { ...CHAT, model: 'dear' })).status).toBe(402);
    gate.open();
    const answers = await Promise.all(running);
    expect(answers.map(nameServed)).toEqual(['cheap', 'cheap']);
    expect(answers[1]?.headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(holds.map(({ model }) => model)).toEqual(['cheap', 'dear', 'dear', 'cheap']);
  });

  it('are not asked after the first byte of a stream', async () => {
    await start({ models: { cheap: ['end-in-stream'], dear: ['plain'] }, fallback: ['dear'] });
    const { log } = await ask({}, { stream: true });
    expect(log?.attempts).toHaveLength(1);
    expect(log?.reason).toBe('upstream_failed');
  });

  it('are left out where the key may not use them, or what is held does not cover them', async () => {
    const models = { cheap: ['error-500'], dear: ['plain'], third: ['plain'] };
    await start({
      models,
      fallback: ['dear', 'third'],
      caller: { allowedModels: new Set(['cheap', 'third']) },
    });
    expect((await ask()).log?.model).toBe('third');
    await gateway.close();
    await start({ models, fallback: ['dear', 'third'], funds: 2n * NANO });
    expect((await ask()).log?.model).toBe('third');
  });

  it('count as retries: beyond the budget none is asked after a failure, but after a refusal', async () => {
    const retries = new RetryBudget(() => 0);
    while (retries.take());
    await start({ models: { cheap: ['error-500'], dear: ['plain'] }, fallback: ['dear'], retries });
    expect((await ask()).status).toBe(502);
    await gateway.close();
    const models = { cheap: ['error-400-context'], dear: ['plain'] };
    await start({ models, fallback: ['dear'], on: ['context'], retries });
    expect((await ask()).status).toBe(200);
  });

  it('are not asked when billing cannot charge by their price', async () => {
    const models = { cheap: ['error-500'], dear: ['plain'] };
    await start({ models, fallback: ['dear'], canReprice: false });
    expect((await ask()).status).toBe(502);
    expect(upstream.calls).toHaveLength(1);
  });
});

describe('x-gateway-fallback', () => {
  const models = { cheap: ['error-500'], dear: ['plain'], third: ['plain'] };

  it('names other models than the operator did', async () => {
    await start({ models, fallback: ['dear'] });
    const { headers } = await ask({ 'x-gateway-fallback': 'third, dear' });
    expect(headers.get('x-gateway-model')).toBe('third');
  });

  it.each([
    ['nobody', 400, 'invalid_request', /"nobody" does not exist/],
    ['third,,dear', 400, 'invalid_request', /names of models/],
    ['a,b,c,d,e,f', 400, 'invalid_request', /at most 5/],
    ['dear', 403, 'model_not_allowed', /may not use the model "dear"/],
  ])('%s is refused with %i', async (header, status, code, message) => {
    await start({ models, caller: { allowedModels: new Set(['cheap', 'third']) } });
    const answer = await ask({ 'x-gateway-fallback': header });
    const { error } = JSON.parse(answer.text) as { error: { code: string; param: string; message: string } };
    expect([answer.status, error.code, error.param]).toEqual([status, code, 'x-gateway-fallback']);
    expect(error.message).toMatch(message);
    expect(upstream.calls).toEqual([]);
  });
});

describe('x-gateway-channel', () => {
  it.each([
    [true, 'cheap-0'],
    [false, null],
  ])('is shown to keys of administrators alone: %s', async (isAdministrator, channel) => {
    await start({ models: { cheap: ['plain'] }, caller: { isAdministrator } });
    expect((await ask()).headers.get('x-gateway-channel')).toBe(channel);
  });
});
