import {
  type CallerToken,
  type Catalog,
  type Channel,
  DEFAULT_TIMEOUTS,
  GatewayError,
  type HoldOutcome,
  type HoldRequest,
  type JournalRow,
  omitUndefined,
  parsePrice,
  parseUsd,
  type RequestLogRow,
  sha256,
  type WalletPort,
} from '@mg/contract';
import { ChannelHealth, ChannelLoad, RetryBudget } from '@mg/routing';
import { createLogger, Registry } from '@mg/runtime';
import { BEHAVIOURS, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { HttpUpstream } from '@mg/transport';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ResponseCache } from '../../cache/response-cache.js';
import { TokenCache } from '../../access/token-cache.js';
import { InferenceMetrics } from '../../call/inference-metrics.js';
import { BodyBudget, SETTLEMENT_BYTES } from '../../edge/body-budget.js';
import { registerInferenceRoutes } from '../../http/register-inference-routes.js';
import type { VideoGateway } from '../video/video-context.js';
import { NO_OTHER_OPERATIONS } from '../../testing/no-other-operations.js';
import { collectLog, collectUsage, createIdleParts, NO_READINGS } from '../../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };

const [KEY, SLUG] = ['sk-0123456789abcdef', 'gpt'];
const PRICE = { input_per_million: '0.25', output_per_million: '2.00' };
/** Of channels that are to be given up: a busy machine takes so long over an answer of others. */
const IMPATIENT = { ...DEFAULT_TIMEOUTS, firstByteMs: 400, idleMs: 400 };
const LIMITS = { createdAt: 0, maxOutputTokens: 1_000, contextWindow: undefined };
const message = (content: string) => ({ role: 'user', content });

describe('a chat call', () => {
  let upstream: FakeUpstream;
  let http: HttpUpstream;
  let server: FastifyInstance;
  let url: string;
  const journal: JournalRow[] = [];
  const log: RequestLogRow[] = [];
  const holds: HoldRequest[] = [];
  let grant: (request: HoldRequest) => HoldOutcome = (request) => ({ granted: request.wanted });
  let channels: Channel[] = [];
  let price: Record<string, string> | undefined = PRICE;
  let token: CallerToken;
  let gateway: VideoGateway;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    http = new HttpUpstream('0123456789abcdef');
    server = fastify({ genReqId: () => crypto.randomUUID(), forceCloseConnections: true });
    gateway = buildGateway();
    await gateway.counter.warmUp();
    registerInferenceRoutes(server, gateway);
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(async () => {
    await server.close();
    await http.close();
    await gateway.counter.close();
    await upstream.close();
  });

  afterEach(async () => {
    await vi.waitFor(() => {
      if (gateway.metrics.inFlight + gateway.metrics.openStreams > 0) throw new Error('a call is in flight');
    }, WITHIN);
    await Promise.all([gateway.journal.flush(), gateway.requestLog.flush()]);
    upstream.reset();
    for (const rows of [journal, log, holds]) rows.length = 0;
    [grant, price, channels] = [(request) => ({ granted: request.wanted }), PRICE, []];
  });

  function buildGateway(): VideoGateway {
    token = {
      id: 't',
      name: 'test',
      walletId: 'w',
      userId: 'u',
      allowedModels: undefined,
      expiresAt: undefined,
      disabled: false,
    };
    const wallet = {
      openHold: async (request: HoldRequest) => {
        holds.push(request);
        return grant(request);
      },
    } as unknown as WalletPort;
    return {
      findChannel: async () => undefined,
      findToken: async () => token,
      catalog: buildCatalog,
      tokens: new TokenCache(async (keyHash) => (keyHash === sha256(KEY) ? token : undefined)),
      wallet,
      upstream: http,
      mediaFetching: { enabled: true, allowPrivate: false },
      cache: new ResponseCache(1024 * 1024, () => performance.now()),
      health: new ChannelHealth(() => performance.now()),
      load: new ChannelLoad(() => performance.now()),
      retries: new RetryBudget(() => performance.now()),
      journal: collectUsage(journal),
      requestLog: collectLog(log),
      ...createIdleParts('0123456789abcdef'),
      metrics: new InferenceMetrics(new Registry(), NO_READINGS),
      bodies: new BodyBudget(512 * 1024 * 1024),
      settlements: new BodyBudget(SETTLEMENT_BYTES),
      ...NO_OTHER_OPERATIONS,
      owner: { instance: 'i', epoch: 'e' },
      logger: createLogger({ plane: 'test', level: 'silent' }),
    };
  }

  function buildCatalog(): Catalog {
    const prices = price ? [{ versionId: 'p1', effectiveFrom: 0, price: parsePrice(price) }] : [];
    const model = { slug: SLUG, kind: 'chat', ...LIMITS, prices } as const;
    return { version: 1, models: new Map([[SLUG, model]]), channelsBySlug: new Map([[SLUG, channels]]) };
  }

  function channel(upstreamModel: string, facts: Partial<Channel> = {}): Channel {
    return {
      id: crypto.randomUUID(),
      name: `channel-${upstreamModel}`,
      type: 'openai-compatible',
      baseUrl: upstream.url,
      apiKeys: ['sk-upstream-secret-1'],
      models: new Map([[SLUG, upstreamModel]]),
      settings: {},
      priority: 0,
      weight: 1,
      timeouts: /^(?:hang|slow)/.test(upstreamModel) ? IMPATIENT : DEFAULT_TIMEOUTS,
      ...facts,
    };
  }

  function ask(body: unknown, init: RequestInit = {}): Promise<Response> {
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  }

  async function ledgerRow(): Promise<JournalRow> {
    return vi.waitFor(() => {
      const row = journal.findLast((candidate) => candidate.phase !== 'checkpoint');
      if (!row) throw new Error('nothing is in the journal yet');
      return row;
    }, WITHIN);
  }

  async function logRow(): Promise<RequestLogRow> {
    return vi.waitFor(() => {
      const row = log.at(-1);
      if (!row) throw new Error('nothing is in the log yet');
      return row;
    }, WITHIN);
  }

  it('changes the model in the request and nothing in the answer, and bills what the upstream metered', async () => {
    channels = [channel('plain')];
    const raw = `{ "x_new":{"a":[1,2]},  "messages":[{"role":"user","content":"h\\u00e9"}], "model":"${SLUG}", "max_tokens":9 }`;
    const response = await ask(raw);
    const [call] = upstream.calls;
    expect(response.status).toBe(200);
    expect(call?.rawBody.toString()).toBe(raw.replace(`"${SLUG}"`, '"plain"'));
    expect(call?.headers.authorization).toBe('Bearer sk-upstream-secret-1');
    const row = await ledgerRow();
    const { walletId, tokenId, priceVersionId } = holds[0] as HoldRequest;
    expect(row).toMatchObject({ phase: 'usage', estimated: false });
    expect(row.payer).toEqual({ walletId, tokenId, priceVersionId });
    expect(row.usage).toMatchObject({
      inputTokens: call?.promptTokens,
      outputTokens: call?.completionTokens,
    });
    const cost = parseUsd(response.headers.get('x-gateway-cost') ?? '');
    expect(cost).toBe(BigInt(call?.promptTokens ?? 0) * 250n + BigInt(call?.completionTokens ?? 0) * 2_000n);
    expect(await logRow()).toMatchObject({
      status: 200,
      cost,
      reason: 'completed',
      channel: 'channel-plain',
    });
    expect(Number(response.headers.get('x-gateway-latency-ms'))).toBeGreaterThanOrEqual(0);
  });

  it.each([true, false])('streams, asking for usage and showing it only to who asked (%s)', async (asked) => {
    channels = [channel('paced')];
    const response = await ask(
      omitUndefined({
        model: SLUG,
        messages: [message('hi')],
        stream: true,
        stream_options: asked ? { include_usage: true } : undefined,
      }),
    );
    const text = await response.text();
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    expect(text.includes('"prompt_tokens"')).toBe(asked);
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(upstream.calls[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    const row = await ledgerRow();
    expect(row.usage.outputTokens).toBe(upstream.calls[0]?.completionTokens);
    expect((await logRow()).ttftMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['error-400-context', 400, 'invalid_request'],
    ['error-401', 502, 'upstream_error'],
    ['error-402', 502, 'upstream_error'],
    ['error-403', 502, 'upstream_error'],
    ['error-404', 502, 'upstream_error'],
    ['error-429-retry-after', 503, 'upstream_unavailable'],
    ['error-500', 502, 'upstream_error'],
    ['error-503', 502, 'upstream_error'],
    ['garbage-body', 502, 'upstream_error'],
    ['empty-body', 502, 'upstream_error'],
    ['truncated-json', 502, 'upstream_error'],
    ['error-with-200', 502, 'upstream_error'],
    ['reset-before-headers', 502, 'upstream_error'],
  ])('answers %s with %i %s and charges nothing', async (behaviour, status, code) => {
    channels = [channel(behaviour)];
    const response = await ask({ model: SLUG, messages: [message('hi')] });
    const text = await response.text();
    const body = JSON.parse(text) as {
      detail: { code: string; message: string };
      error: { message: string };
    };
    expect(response.status).toBe(status);
    expect(body.detail.code).toBe(code);
    expect(body.error.message).toBe(body.detail.message);
    expect(text).not.toContain('sk-upstream');
    expect(await ledgerRow()).toMatchObject({ phase: 'cancel' });
    expect(await logRow()).toMatchObject({ status, cost: 0n, errorCode: code });
  });

  it.each(['error-500', 'error-429', 'error-401', 'reset-before-headers', 'garbage-body'])(
    'goes on to the next channel after %s',
    async (behaviour) => {
      channels = [channel(behaviour, { priority: 9 }), channel('plain')];
      const response = await ask({ model: SLUG, messages: [message('hi')] });
      expect(response.status).toBe(200);
      expect((await logRow()).attempts.map((attempt) => [attempt.channel, attempt.outcome])).toEqual([
        [`channel-${behaviour}`, 'failed'],
        ['channel-plain', 'served'],
      ]);
      expect(journal.filter((row) => row.phase === 'usage')).toHaveLength(1);
    },
  );

  it.each([
    'error-event-first',
    'reset-after-headers',
    'error-500',
    'wrong-content-type',
    'hang-before-headers',
    'slow',
  ])('goes on to the next channel when a stream opens with %s', async (behaviour) => {
    channels = [channel(behaviour, { priority: 9 }), channel('plain')];
    const response = await ask({ model: SLUG, messages: [message('hi')], stream: true });
    expect(await response.text()).toContain('[DONE]');
    expect((await logRow()).channel).toBe('channel-plain');
  });

  it('does not go on when the caller is at fault', async () => {
    channels = [channel('error-400-policy', { priority: 9 }), channel('plain')];
    expect((await ask({ model: SLUG, messages: [message('hi')] })).status).toBe(400);
    expect(upstream.calls).toHaveLength(1);
  });

  it.each(['reset-in-stream', 'hang-in-stream', 'error-event-in-stream', 'end-in-stream'])(
    'ends a stream with an error event after %s, tries nothing else and charges nothing',
    async (behaviour) => {
      // Paced, so that the first events are read before the connection goes.
      upstream.script(behaviour, { ...BEHAVIOURS[behaviour], stream: { paceMs: 20 } });
      channels = [channel(behaviour, { priority: 9 }), channel('plain')];
      const response = await ask({ model: SLUG, messages: [message('hi')], stream: true });
      const text = await response.text();
      expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^data: \{.*"error":\{/);
      expect(await ledgerRow()).toMatchObject({ phase: 'cancel' });
      expect(upstream.calls).toHaveLength(1);
    },
  );

  /** Anthropic reports the prompt first and the output at the end, Google both all along, the others nothing until the end. */
  it.each([
    ['openai-compatible', true],
    ['anthropic', true],
    ['gemini', false],
  ])(
    'closes the upstream when the client leaves, and charges what was produced: %s',
    async (type, estimated) => {
      channels = [channel('endless', { type })];
      const abort = new AbortController();
      const response = await ask(
        { model: SLUG, messages: [message('hi')], stream: true },
        { signal: abort.signal },
      );
      const reader = response.body?.getReader();
      for (let count = 0; count < 10; count++) await reader?.read();
      abort.abort();
      const call = await upstream.waitForCall((candidate) => candidate.aborted);
      const row = await ledgerRow();
      expect(row).toMatchObject({ phase: 'usage', estimated });
      expect(row.usage.inputTokens).toBeGreaterThan(0);
      expect(row.usage.outputTokens).toBeGreaterThan(4);
      expect(row.usage.outputTokens).toBeLessThanOrEqual(call.completionTokens + 2);
      expect(await logRow()).toMatchObject({ reason: 'client_aborted' });
    },
  );

  it('closes the upstream when the client leaves before the first byte, and blames no channel', async () => {
    channels = [channel('hang-before-headers', { timeouts: DEFAULT_TIMEOUTS })];
    const abort = new AbortController();
    const asking = ask({ model: SLUG, messages: [message('hi')], stream: true }, { signal: abort.signal });
    await upstream.waitForCall(() => true);
    abort.abort();
    await expect(asking).rejects.toThrow(/abort/i);
    await upstream.waitForCall((call) => call.aborted);
    expect(await ledgerRow()).toMatchObject({ phase: 'usage', usage: { outputTokens: 0 } });
    expect((await logRow()).attempts).toMatchObject([{ outcome: 'aborted' }]);
  });

  it('counts by tokenizer what the upstream did not report', async () => {
    channels = [channel('usage-never')];
    await (await ask({ model: SLUG, messages: [message('hi')] })).text();
    expect(await ledgerRow()).toMatchObject({ phase: 'usage', estimated: true });
    expect((await logRow()).cost).toBeGreaterThan(0n);
  });

  it('passes a cap upstream when the funds cover less than the model could produce', async () => {
    channels = [channel('plain')];
    grant = (request) => ({ granted: request.minimum });
    await (await ask({ model: SLUG, messages: [message('hi')] })).text();
    expect(upstream.calls[0]?.body).toMatchObject({ max_tokens: 64 });
    const [hold] = holds;
    await (await ask({ model: SLUG, messages: [message('hi')], max_tokens: 500 })).text();
    expect(upstream.calls[1]?.body).toMatchObject({ max_tokens: 500 });
    expect(hold?.minimum).toBeLessThan(hold?.wanted ?? 0n);
    expect(holds[1]?.minimum).toBe(holds[1]?.wanted);
  });

  it.each([
    ['insufficient_balance', 402],
    ['quota_exceeded', 429],
  ] as const)('asks no upstream on %s', async (refused, status) => {
    channels = [channel('plain')];
    grant = () => ({ refused, message: 'No.' });
    expect((await ask({ model: SLUG, messages: [message('hi')] })).status).toBe(status);
    expect(upstream.calls).toHaveLength(0);
    expect(journal).toHaveLength(0);
  });

  it('gives up a hold that billing may yet open after its time was over', async () => {
    channels = [channel('plain')];
    grant = () => {
      throw new GatewayError('service_unavailable', 'Billing does not answer.');
    };
    const response = await ask({ model: SLUG, messages: [message('hi')] });
    expect(response.status).toBe(503);
    expect(upstream.calls).toHaveLength(0);
    expect(await ledgerRow()).toMatchObject({ requestId: holds[0]?.id, phase: 'cancel' });
  });

  it('refuses a model without a price, and one without a channel', async () => {
    channels = [channel('plain')];
    price = undefined;
    expect((await ask({ model: SLUG, messages: [message('hi')] })).status).toBe(404);
    price = PRICE;
    channels = [];
    expect((await ask({ model: SLUG, messages: [message('hi')] })).status).toBe(503);
    expect((await ask({ model: 'none', messages: [message('hi')] })).status).toBe(404);
  });

  it.each([
    ['an unknown key', { authorization: 'Bearer sk-unknown-key-1' }, 401],
    ['no key', {}, 401],
    ['another content type', { authorization: `Bearer ${KEY}`, 'content-type': 'text/plain' }, 415],
  ])('refuses %s', async (_name, headers, status) => {
    channels = [channel('plain')];
    const response = await ask('{}', { headers: { 'content-type': 'application/json', ...headers } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: { request_id: expect.any(String) as string } });
  });

  it('answers 405 to other methods', async () => {
    const response = await fetch(`${url}/v1/chat/completions`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });
});
