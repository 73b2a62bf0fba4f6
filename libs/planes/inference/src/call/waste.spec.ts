import {
  type Catalog,
  DEFAULT_TIMEOUTS,
  type JournalRow,
  parsePrice,
  type RequestLogRow,
} from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300) }], max_tokens: 20 };
const WITHIN_MS = 10_000;
/** Of channels that are to be given up: a busy machine takes so long over an answer of others. */
const IMPATIENT = { ...DEFAULT_TIMEOUTS, firstByteMs: 1_000, idleMs: 1_000 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  gateway = await startSmallGateway('waste');
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

/** Channels of these behaviours, asked in this order. */
function serveBy(...behaviours: readonly string[]): void {
  gateway.channels = behaviours.map((behaviour, index) =>
    makeChannel(behaviour, {
      baseUrl: behaviour === 'nobody' ? 'http://127.0.0.1:9' : upstream.url,
      models: new Map([['m', behaviour]]),
      priority: behaviours.length - index,
      timeouts: behaviour.startsWith('hang') ? IMPATIENT : DEFAULT_TIMEOUTS,
    }),
  );
}

async function readRows(): Promise<{ row: JournalRow; log: RequestLogRow }> {
  return vi.waitFor(() => {
    const row = gateway.journal.find(({ phase }) => phase !== 'checkpoint');
    const log = gateway.log[0];
    if (!row || !log) throw new Error('the call has not ended yet');
    return { row, log };
  }, WITHIN_MS);
}

async function call(changes: object = {}): Promise<{ row: JournalRow; log: RequestLogRow }> {
  await (await gateway.post('/v1/chat/completions', { ...CHAT, ...changes })).text();
  return readRows();
}

describe('F11: what an upstream may bill us for and no caller pays', () => {
  it.each([
    ['error-500', 'failed'],
    ['error-502-html', 'failed'],
    ['garbage-body', 'failed'],
    ['reset-before-headers', 'failed'],
    ['hang-before-headers', 'timed_out'],
  ])('is the prompt of an attempt that ended with %s: %s', async (behaviour, reason) => {
    serveBy(behaviour, 'plain');
    const { row, log } = await call({ stream: true });
    expect(row).toMatchObject({
      phase: 'usage',
      waste: [{ attempt: 0, channel: behaviour, reason, usage: { outputTokens: 0 } }],
    });
    const [wasted] = row.waste ?? [];
    // The body has some 370 bytes, and three of them are a token.
    expect(wasted?.usage.inputTokens).toBeGreaterThan(100);
    expect(wasted?.usage.inputTokens).toBeLessThan(150);
    expect(log.reason).toBe('retried');
  });

  it.each(['error-400-policy', 'error-401', 'error-404', 'error-429', 'error-503', 'error-529', 'nobody'])(
    'is nothing where the upstream did not begin: %s',
    async (behaviour) => {
      serveBy(behaviour, 'plain');
      expect((await call()).row).not.toHaveProperty('waste');
    },
  );

  it('is nothing of a call that succeeds at the first attempt', async () => {
    serveBy('plain');
    const { row, log } = await call();
    expect(row).not.toHaveProperty('waste');
    expect(log.reason).toBe('completed');
  });

  it('is reported by the cancellation of a call that fails in the end, with each of its attempts', async () => {
    serveBy('error-500', 'error-429', 'hang-before-headers');
    const { row, log } = await call({ stream: true });
    expect(row).toMatchObject({
      phase: 'cancel',
      payer: { walletId: 'w', tokenId: 't', priceVersionId: 'p1' },
      waste: [
        { attempt: 0, channel: 'error-500', reason: 'failed' },
        { attempt: 2, channel: 'hang-before-headers', reason: 'timed_out' },
      ],
    });
    expect(log).toMatchObject({ reason: 'upstream_failed', cost: 0n });
  });

  it.each(['end-in-stream', 'hang-in-stream', 'error-event-in-stream'])(
    'is the prompt and what came of a stream that broke: %s',
    async (behaviour) => {
      serveBy(behaviour);
      const { row, log } = await call({ stream: true });
      expect(row).toMatchObject({
        phase: 'cancel',
        waste: [{ attempt: 0, channel: behaviour, reason: 'stream_broken' }],
      });
      const [wasted] = row.waste ?? [];
      expect(wasted?.usage.inputTokens).toBeGreaterThan(100);
      expect(wasted?.usage.outputTokens).toBeGreaterThan(0);
      expect(log).toMatchObject({ reason: 'upstream_failed', cost: 0n });
    },
  );

  it('is an exchange whose caller leaves before it begins, who is not charged', async () => {
    await gateway.close();
    const price = parsePrice({ input_per_million: '2' });
    const model = {
      slug: 'm',
      kind: 'embedding',
      createdAt: 0,
      prices: [{ versionId: 'p1', effectiveFrom: 0, price }],
    };
    const models = new Map([['m', model]]) as unknown as Catalog['models'];
    gateway = await startSmallGateway('waste', {
      catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', gateway.channels]]) }),
    });
    serveBy('hang-before-headers');
    const abort = new AbortController();
    const asking = fetch(`${gateway.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', input: 'x'.repeat(300) }),
      signal: abort.signal,
    });
    await upstream.waitForCall(() => true);
    abort.abort();
    await expect(asking).rejects.toThrow(/abort/i);
    const { row, log } = await readRows();
    expect(row).toMatchObject({
      phase: 'cancel',
      waste: [{ attempt: 0, channel: 'hang-before-headers', reason: 'abandoned' }],
    });
    expect(row.waste?.[0]?.usage.inputTokens).toBeGreaterThan(50);
    expect(log).toMatchObject({ reason: 'client_aborted', status: 499, cost: 0n });
  });

  it('is not the prompt of a chat whose caller leaves before it begins: the caller pays', async () => {
    serveBy('hang-before-headers');
    const abort = new AbortController();
    const asking = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...CHAT, stream: true }),
      signal: abort.signal,
    });
    await upstream.waitForCall(() => true);
    abort.abort();
    await expect(asking).rejects.toThrow(/abort/i);
    const { row } = await readRows();
    expect(row.phase).toBe('usage');
    expect(row).not.toHaveProperty('waste');
  });
});

describe('Policies: an answered call says by which one it was charged', () => {
  it.each([
    [['plain'], 'completed'],
    [['usage-never'], 'estimated'],
    [['error-500', 'plain'], 'retried'],
    [['error-500', 'usage-never'], 'estimated'],
  ])('%s: %s', async (behaviours, reason) => {
    serveBy(...behaviours);
    expect((await call()).log).toMatchObject({ status: 200, reason });
  });
});
