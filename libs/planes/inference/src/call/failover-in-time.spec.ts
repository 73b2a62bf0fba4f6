import { type Catalog, DEFAULT_TIMEOUTS, parsePrice } from '@mg/contract';
import { RetryBudget } from '@mg/routing';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import type { GatewayContext } from './gateway-context.js';

const WITHIN = { timeout: 30_000 };
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

interface Setup {
  readonly firstTokenMs?: number;
  readonly parts?: Partial<GatewayContext>;
}

/** Channels of these behaviours, asked in this order. */
async function start(behaviours: readonly string[], { firstTokenMs, parts }: Setup = {}): Promise<void> {
  const price = parsePrice({ per_request: '0.1' });
  const model = {
    slug: 'm',
    kind: 'chat',
    createdAt: 0,
    firstTokenMs,
    prices: [{ versionId: 'p', effectiveFrom: 0, price }],
  };
  const models = new Map([['m', model]]) as unknown as Catalog['models'];
  const channels = behaviours.map((behaviour, index) =>
    makeChannel(behaviour, {
      baseUrl: behaviour === 'nobody' ? 'http://127.0.0.1:9' : upstream.url,
      models: new Map([['m', behaviour]]),
      priority: -index,
      timeouts: { ...DEFAULT_TIMEOUTS, firstByteMs: 30_000 },
    }),
  );
  gateway = await startSmallGateway('in-time', {
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', channels]]) }),
    ...parts,
  });
}

async function ask(body: object = {}) {
  const answer = await gateway.post('/v1/chat/completions', { ...CHAT, ...body });
  await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(1);
  return { status: answer.status, log: gateway.log[0] };
}

/** A budget of which nothing is left. */
function spentBudget(): RetryBudget {
  const budget = new RetryBudget(() => 0);
  while (budget.take());
  return budget;
}

describe('first_token_timeout', () => {
  it('leaves a stream that does not begin, long before its channel would', async () => {
    await start(['hang-before-headers', 'plain'], { firstTokenMs: 200 });
    const { status, log } = await ask({ stream: true });
    expect(status).toBe(200);
    expect(log?.attempts).toMatchObject([{ outcome: 'failed' }, { outcome: 'served' }]);
    expect(log?.latencyMs).toBeLessThan(20_000);
    expect(gateway.journal).toMatchObject([{ waste: [{ attempt: 0, reason: 'timed_out' }] }]);
  });

  it('says nothing of whole answers', async () => {
    await start(['slow'], { firstTokenMs: 50 });
    upstream.script('slow', { wait: () => new Promise((resolve) => setTimeout(resolve, 300)) });
    expect((await ask()).status).toBe(200);
  });
});

describe('the budget of retries', () => {
  it('ends a call at its first failure once it is spent, and the log says why', async () => {
    await start(['error-500', 'plain'], { parts: { retries: spentBudget() } });
    const { status, log } = await ask();
    expect(status).toBe(502);
    expect(upstream.calls).toHaveLength(1);
    expect(log?.attempts.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('status 500'),
      'not asked: a tenth of the calls were retries already',
    ]);
  });

  it('is not asked for what was never sent', async () => {
    await start(['nobody', 'plain'], { parts: { retries: spentBudget() } });
    expect((await ask()).status).toBe(200);
  });
});

describe('after the first byte', () => {
  it.each(['end-in-stream', 'reset-in-stream', 'error-event-in-stream'])(
    'nobody else is asked: %s',
    async (behaviour) => {
      await start([behaviour, 'plain']);
      const { log } = await ask({ stream: true });
      expect(log?.attempts).toHaveLength(1);
      expect(log).toMatchObject({ reason: 'upstream_failed', cost: 0n });
    },
  );
});
