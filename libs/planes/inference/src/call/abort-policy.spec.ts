import type { AbortPolicy } from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientConnection } from '../edge/client-connection.js';
import { ChatOperation } from '../operations/chat/chat-operation.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300) }], max_tokens: 20 };
const WITHIN = { timeout: 30_000 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  gateway = await startSmallGateway('aborts');
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

function serveBy(type: string, onAbort?: AbortPolicy): void {
  const models = new Map([['m', 'slow']]);
  gateway.channels = [
    makeChannel('c', { type, baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-1'], models, onAbort }),
  ];
}

/** Leaves a whole answer while the upstream makes it. @returns what ends the upstream's work. */
async function leave(headers: Record<string, string> = {}): Promise<() => void> {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  upstream.script('slow', { wait: () => promise });
  const client = new AbortController();
  const asking = fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(CHAT),
    signal: client.signal,
  });
  await upstream.waitForCall(() => true);
  client.abort();
  await expect(asking).rejects.toThrow(/abort/i);
  return finish;
}

describe('a whole answer whose caller leaves', () => {
  it.each([
    ['ollama', undefined],
    ['vllm', undefined],
    ['openai-compatible', undefined],
    ['openai', 'cancel'],
  ] as const)('is cancelled on %s with on_abort %s, and its prompt is charged', async (type, onAbort) => {
    serveBy(type, onAbort);
    const finish = await leave();
    // The upstream has not answered, so only the end of its connection can end the call.
    await expect
      .poll(() => gateway.log[0], WITHIN)
      .toMatchObject({
        status: 499,
        reason: 'client_aborted',
        estimated: true,
        usage: { outputTokens: 0 },
        attempts: [{ outcome: 'aborted' }],
      });
    await expect.poll(() => upstream.calls[0]?.aborted, WITHIN).toBe(true);
    expect(gateway.journal).toMatchObject([{ phase: 'usage', estimated: true }]);
    expect(gateway.log[0]?.usage.inputTokens).toBeGreaterThan(10);
    finish();
  });

  it.each([
    ['openai', undefined],
    ['openai-compatible', 'finish'],
  ] as const)('runs to its end on %s with on_abort %s, and is charged', async (type, onAbort) => {
    serveBy(type, onAbort);
    const finish = await leave();
    finish();
    await expect
      .poll(() => gateway.log[0], WITHIN)
      .toMatchObject({
        reason: 'completed',
        attempts: [{ outcome: 'served' }],
      });
    expect(gateway.log[0]?.usage.outputTokens).toBeGreaterThan(0);
  });
});

describe('a call whose caller leaves while its request is prepared', () => {
  it.each([
    ['vllm', 0, { status: 499, reason: 'client_aborted', cost: 0n, attempts: [{ outcome: 'aborted' }] }],
    ['openai', 1, { reason: 'completed', attempts: [{ outcome: 'served' }] }],
  ])('is sent where its channel finishes answers, and else costs nothing: %s', async (type, sent, logged) => {
    let client: ClientConnection | undefined;
    const watch = (one: ClientConnection) => void (client = one);
    Object.assign(gateway.context, { capture: { begin: () => ({ watch }), end: () => undefined } });
    gateway.channels = [makeChannel('c', { type, baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-1'] })];
    const leaving = new AbortController();
    const prepare = ChatOperation.prototype.prepare;
    vi.spyOn(ChatOperation.prototype, 'prepare').mockImplementationOnce(async function (
      this: ChatOperation,
      attempt,
      hold,
    ) {
      leaving.abort();
      await vi.waitFor(() => expect(client?.isGone).toBe(true), WITHIN);
      const prepared = await prepare.call(this, attempt, hold);
      if (!prepared) throw new Error('The channel serves no chats.');
      return prepared;
    });
    const asking = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(CHAT),
      signal: leaving.signal,
    });
    await expect(asking).rejects.toThrow(/abort/i);
    await expect.poll(() => gateway.log[0], WITHIN).toMatchObject(logged);
    vi.restoreAllMocks();
    expect(upstream.calls).toHaveLength(sent);
  });
});
