import { once } from 'node:events';
import { type Catalog, DEFAULT_TIMEOUTS, parsePrice } from '@mg/contract';
import { Hedging } from '@mg/routing';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChatOperation } from '../operations/chat/chat-operation.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 10_000 };
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

/** Channels of these behaviours, asked in this order, whose answers usually take some milliseconds. */
async function start(
  behaviours: readonly string[],
  hedges = 1,
  hedge = true,
  firstTotalMs = DEFAULT_TIMEOUTS.totalMs,
): Promise<Hedging> {
  const price = parsePrice({ input_per_million: '1000', output_per_million: '1000' });
  const prices = [{ versionId: 'p', effectiveFrom: 0, price }];
  const models = new Map([['m', { slug: 'm', kind: 'chat', createdAt: 0, hedge, prices }]]);
  const channels = behaviours.map((behaviour, index) =>
    makeChannel(behaviour, {
      baseUrl: upstream.url,
      models: new Map([['m', behaviour]]),
      priority: -index,
      timeouts: index === 0 ? { ...DEFAULT_TIMEOUTS, totalMs: firstTotalMs } : DEFAULT_TIMEOUTS,
    }),
  );
  const hedging = new Hedging();
  for (const { id } of channels) for (let count = 0; count < 50; count++) hedging.recordAnswer(id, 'm', 20);
  for (let call = 0; call < hedges * 50; call++) hedging.noteCall();
  gateway = await startSmallGateway('hedging', {
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', channels]]) }) as unknown as Catalog,
    hedging,
  });
  gateway.channels = channels;
  return hedging;
}

async function ask(body: object = {}) {
  const answer = await gateway.post('/v1/chat/completions', { ...CHAT, ...body });
  const text = await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(1);
  await gateway.context.journal.flush();
  return { status: answer.status, text, log: gateway.log[0], row: gateway.journal[0] };
}

describe('a whole answer that is late', () => {
  it('is asked for at the next channel, the first one is cancelled and what it cost us is booked', async () => {
    await start(['hang-before-headers', 'plain']);
    const { status, log, row } = await ask();
    expect(status).toBe(200);
    expect(log?.attempts).toMatchObject([
      { channel: 'hang-before-headers', outcome: 'aborted' },
      {
        channel: 'plain',
        outcome: 'served',
        reason: expect.stringContaining('since the one before is late'),
      },
    ]);
    expect(log?.channel).toBe('plain');
    expect(row).toMatchObject({
      phase: 'usage',
      waste: [{ attempt: 0, channel: 'hang-before-headers', reason: 'hedged' }],
    });
    expect(row?.waste?.[0]?.usage.inputTokens).toBeGreaterThan(0);
    await expect.poll(() => upstream.calls[0]?.aborted, WITHIN).toBe(true);
    for (const { id } of gateway.channels) expect(gateway.context.load.inFlight(id)).toBe(0);
  });

  it('is booked as well where the first call does not end soon after it was cancelled', async () => {
    await start(['hang-before-headers', 'plain']);
    const http = gateway.context.upstream;
    const send = http.call.bind(http);
    let count = 0;
    http.call = (request) => {
      const sent = send(request);
      if (count++ > 0) return sent;
      sent.reply.catch(() => undefined);
      return { reply: new Promise(() => undefined), abort: () => sent.abort() };
    };
    const { status, log, row } = await ask();
    expect(status).toBe(200);
    expect(log?.attempts).toMatchObject([{ outcome: 'aborted' }, { outcome: 'served' }]);
    expect(row?.waste).toMatchObject([{ attempt: 0, channel: 'hang-before-headers', reason: 'hedged' }]);
    expect(row?.waste?.[0]?.usage.inputTokens).toBeGreaterThan(0);
  });

  it('is not asked for any more where it is cancelled while its request is prepared', async () => {
    await start(['slow', 'plain']);
    const send = vi.spyOn(gateway.context.upstream, 'call');
    const prepare = ChatOperation.prototype.prepare;
    vi.spyOn(ChatOperation.prototype, 'prepare').mockImplementationOnce(async function (
      this: ChatOperation,
      attempt,
      hold,
    ) {
      if (attempt.cancel) await once(attempt.cancel, 'abort');
      const prepared = await prepare.call(this, attempt, hold);
      if (!prepared) throw new Error('The channel serves no chats.');
      return prepared;
    });
    const { status, log, row } = await ask();
    vi.restoreAllMocks();
    expect(status).toBe(200);
    expect(log?.attempts).toMatchObject([
      { channel: 'slow', outcome: 'aborted' },
      { channel: 'plain', outcome: 'served' },
    ]);
    expect(send).toHaveBeenCalledTimes(1);
    expect(row).not.toHaveProperty('waste');
  });

  it('is waited for where the budget has no hedge left', async () => {
    await start(['slow', 'plain'], 0);
    const { log } = await ask();
    expect(log?.attempts).toMatchObject([{ outcome: 'served' }]);
    expect(upstream.calls).toHaveLength(1);
  });

  it('is waited for where the model does not hedge, and where it is a stream', async () => {
    await start(['slow', 'plain'], 5, false);
    expect((await ask()).log?.attempts).toMatchObject([{ outcome: 'served' }]);
    await gateway.close();
    upstream.reset();
    await start(['slow', 'plain'], 5);
    expect((await ask({ stream: true })).log?.attempts).toMatchObject([{ outcome: 'served' }]);
    expect(upstream.calls).toHaveLength(1);
  });

  it('counts where the other channel fails', async () => {
    await start(['slow', 'error-500']);
    const { status, log } = await ask();
    expect(status).toBe(200);
    expect(log?.attempts).toMatchObject([
      { channel: 'error-500', outcome: 'failed' },
      { channel: 'slow', outcome: 'served' },
    ]);
  });

  it('goes on to the third channel where both fail, and asks none twice', async () => {
    await start(['hang-before-headers', 'error-500', 'plain'], 1, true, 1_000);
    const { status, log } = await ask();
    expect(status).toBe(200);
    expect(log?.attempts.map(({ channel }) => channel).toSorted()).toEqual([
      'error-500',
      'hang-before-headers',
      'plain',
    ]);
  });
});
