import { type AbortPolicy, type Catalog, parsePrice } from '@mg/contract';
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

const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';
const SEEN = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: IMAGE } }] }];

/** Asks, reads so many pieces of the answer and leaves. */
async function leaveAfter(pieces: number, path: string, body: object): Promise<void> {
  const client = new AbortController();
  const asking = fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
    signal: client.signal,
  });
  await upstream.waitForCall(() => true);
  const reader = pieces === 0 ? undefined : (await asking).body?.getReader();
  for (let piece = 0; piece < pieces; piece++) await reader?.read();
  client.abort();
  await asking.catch(() => undefined);
  // What comes on another connection is read after the end of this one.
  await (
    await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${gateway.key}` } })
  ).text();
}

/** A gateway whose one model is of this kind. */
async function startGatewayFor(kind: string, sheet: Parameters<typeof parsePrice>[0]): Promise<void> {
  await gateway.close();
  const prices = [{ versionId: 'p1', effectiveFrom: 0, price: parsePrice(sheet) }];
  const models = new Map([['m', { slug: 'm', kind, createdAt: 0, prices }]]) as unknown as Catalog['models'];
  gateway = await startSmallGateway('aborts', {
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', gateway.channels]]) }),
  });
}

describe('T18: what only the upstream can count runs to its end when its caller leaves', () => {
  it.each([
    ['a stream with an image, before its first event', 0, { messages: SEEN, stream: true }],
    ['a stream with an image, after its first event', 1, { messages: SEEN, stream: true }],
    ['a whole answer to an image, on a channel that cancels', 0, { messages: SEEN }],
    [
      'a stream with a prediction',
      1,
      { ...CHAT, stream: true, prediction: { type: 'content', content: 'x'.repeat(300) } },
    ],
  ])('%s', async (_what, pieces, body) => {
    serveBy('openai-compatible');
    upstream.script('slow', { stream: { paceMs: 20 }, wait: () => gone });
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    if (pieces > 0) go();
    await leaveAfter(pieces, '/v1/chat/completions', body);
    go();
    await expect
      .poll(() => gateway.log[0], WITHIN)
      .toMatchObject({ reason: 'completed', estimated: false, attempts: [{ outcome: 'served' }] });
    const [call] = upstream.calls;
    expect(call?.aborted).toBe(false);
    expect(gateway.log[0]?.usage).toMatchObject({
      inputTokens: call?.promptTokens,
      outputTokens: call?.completionTokens,
    });
  });

  it('not a stream whose upstream has counted the prompt by then', async () => {
    const models = new Map([['m', 'endless']]);
    gateway.channels = [
      makeChannel('c', { type: 'anthropic', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-1'], models }),
    ];
    await leaveAfter(2, '/v1/chat/completions', { messages: SEEN, stream: true });
    await expect.poll(() => upstream.calls[0]?.aborted, WITHIN).toBe(true);
    await expect.poll(() => gateway.log[0], WITHIN).toMatchObject({ reason: 'client_aborted' });
    expect(gateway.log[0]?.usage.inputTokens).toBe(upstream.calls[0]?.promptTokens);
  });

  it('not a stream that has a tool of the provider at hand and has not called it', async () => {
    await startGatewayFor('chat', {
      input_per_million: '1',
      output_per_million: '2',
      per_web_search: '0.01',
    });
    const models = new Map([['m', 'endless']]);
    gateway.channels = [
      makeChannel('c', { type: 'openai', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-1'], models }),
    ];
    await leaveAfter(3, '/v1/responses', { input: 'hi', tools: [{ type: 'web_search' }], stream: true });
    await expect.poll(() => upstream.calls[0]?.aborted, WITHIN).toBe(true);
    await expect.poll(() => gateway.log[0], WITHIN).toMatchObject({ reason: 'client_aborted' });
  });

  it('a stream of images', async () => {
    await startGatewayFor('image', { per_image: '0.04' });
    serveBy('openai');
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    upstream.script('slow', { wait: () => gone });
    await leaveAfter(0, '/v1/images/generations', { prompt: 'a cat', stream: true });
    go();
    await expect.poll(() => gateway.log[0], WITHIN).toMatchObject({ reason: 'completed', cost: 40_000_000n });
  });

  it('speech, where its upstream bills it in any case', async () => {
    await startGatewayFor('speech', { per_million_characters: '15' });
    serveBy('openai');
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    upstream.script('slow', { wait: () => gone });
    await leaveAfter(0, '/v1/audio/speech', { input: 'x'.repeat(1_000), voice: 'alloy' });
    go();
    await expect.poll(() => gateway.log[0], WITHIN).toMatchObject({ status: 200, cost: 15_000_000n });
  });
});

describe('a call whose caller leaves while its request is prepared', () => {
  it.each([
    ['vllm', CHAT, 0],
    ['openai', CHAT, 1],
    ['openai', { model: 'm', messages: SEEN, stream: true }, 0],
  ])(
    'is sent where its channel finishes answers, and else costs nothing: %s %j',
    async (type, body, sent) => {
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
        body: JSON.stringify(body),
        signal: leaving.signal,
      });
      await expect(asking).rejects.toThrow(/abort/i);
      const unsent = {
        status: 499,
        reason: 'client_aborted',
        cost: 0n,
        attempts: [{ outcome: 'aborted' }],
      };
      const served = { reason: 'completed', attempts: [{ outcome: 'served' }] };
      await expect.poll(() => gateway.log[0], WITHIN).toMatchObject(sent === 0 ? unsent : served);
      vi.restoreAllMocks();
      expect(upstream.calls).toHaveLength(sent);
    },
  );
});
