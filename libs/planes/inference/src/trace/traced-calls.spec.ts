import { type Catalog, omitUndefined } from '@mg/contract';
import { openTracer } from '@mg/runtime';
import {
  type Collector,
  type ExportedSpan,
  type FakeUpstream,
  findFreePorts,
  readAttribute,
  startCollector,
  startFakeUpstream,
} from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { VideoGateway } from '../operations/video/video-context.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { NO_TRACING, type Tracing } from './call-trace.js';
import { createTracing } from './create-tracing.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'a private thought' }], max_tokens: 20 };
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLERS_SPAN = 'b7ad6b7169203331';

let upstream: FakeUpstream;
let collector: Collector;
let failures: string[];
let gateway: SmallGateway;
let tracing: Tracing;

beforeEach(async () => {
  upstream = await startFakeUpstream();
  failures = [];
  collector = await startCollector();
});

afterEach(async () => {
  await gateway.close();
  await tracing.close();
  await collector.close();
  await upstream.close();
});

async function start(
  share = 1,
  collectorUrl = collector.url,
  parts: Partial<VideoGateway> = {},
): Promise<void> {
  const tracer = await openTracer({
    url: `${collectorUrl}/v1/traces`,
    headers: { authorization: 'Bearer of-the-test' },
    service: 'test',
    share,
    onFailure: (reason) => failures.push(reason),
  });
  tracing = createTracing(tracer);
  gateway = await startSmallGateway('traced', { tracing, ...parts });
  const [failing, good] = ['error-500', 'plain'].map((behaviour, index) =>
    makeChannel(behaviour, {
      baseUrl: upstream.url,
      models: new Map([['m', behaviour]]),
      priority: 1 - index,
    }),
  );
  gateway.channels = failing && good ? [failing, good] : [];
}

function ask(headers: Record<string, string> = {}, body: object = CHAT): Promise<Response> {
  return gateway.post('/v1/chat/completions', body, headers);
}

const caller = (flags = '01', tracestate?: string) =>
  omitUndefined({ traceparent: `00-${TRACE_ID}-${CALLERS_SPAN}-${flags}`, tracestate });
const stateOf = () => upstream.calls.map(({ headers }) => headers['tracestate']);

function listMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `v${index}=1`).join(',');
}

/** Everything that was exported, once all of it is out. */
async function listSpans(): Promise<ExportedSpan[]> {
  await tracing.close();
  return collector.listSpans();
}

const MILLISECOND_NS = 1_000_000n;

describe('a traced call', () => {
  it.each([false, true])(
    'is a span with one for each stage and attempt, within the trace of its caller and above its upstream, stream: %s',
    async (stream) => {
      await start();
      await (await ask(caller(), { ...CHAT, stream })).text();
      const spans = await listSpans();
      expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
      const root = spans.find(({ parentSpanId }) => parentSpanId === CALLERS_SPAN);
      expect(root?.name).toBe('chat m');
      expect(readAttribute(root, 'gen_ai.operation.name')).toBe('chat');
      expect(readAttribute(root, 'http.response.status_code')).toBe(200);
      expect(Number(readAttribute(root, 'gen_ai.usage.output_tokens'))).toBeGreaterThan(0);
      const stages = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
      expect(new Set(stages.map(({ name }) => name))).toEqual(
        new Set([
          'admit',
          'receive',
          'once',
          'open',
          'cache',
          'route',
          'limit',
          'reserve',
          'send',
          'relay',
          'settle',
        ]),
      );
      const send = stages.find(({ name }) => name === 'send');
      const attempts = spans.filter(({ parentSpanId }) => parentSpanId === send?.spanId);
      expect(
        attempts.map((span) => [span.name, readAttribute(span, 'gateway.outcome'), span.status.code]),
      ).toEqual([
        ['chat error-500', 'failed', 2],
        ['chat plain', 'served', 0],
      ]);
      const seen = upstream.calls.map(({ headers }) => headers['traceparent']);
      expect(seen).toEqual(attempts.map(({ spanId }) => `00-${TRACE_ID}-${spanId}-01`));
    },
  );

  it.each([
    [
      'what others have added to its trace',
      'vendor=of-the-caller,tenant@other=2',
      'vendor=of-the-caller,tenant@other=2',
    ],
    ['of that what is valid', 'vendor=1,Vendor=2,none', 'vendor=1'],
    ['as many of it as may be', listMembers(32), listMembers(32)],
    ['nothing where there are too many', listMembers(33), undefined],
    ['nothing where it is too long', `vendor=${'a'.repeat(250)},other=${'b'.repeat(250)},third=3`, undefined],
  ])('passes on %s', async (_what, sent, passed) => {
    await start();
    await (await ask(caller('01', sent))).text();
    expect(stateOf()).toEqual([passed, passed]);
  });

  it.each([
    ['is whole', 'paced', 'served', 0],
    ['breaks off', 'end-in-stream', 'failed', 2],
    ['is left by its client', 'endless', 'aborted', 0],
  ])('has an attempt that ends when its stream %s', async (_end, behaviour, outcome, code) => {
    await start();
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', behaviour]]) })];
    const answer = await ask({}, { ...CHAT, stream: true });
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(first?.done).toBe(false);
    if (outcome === 'aborted') await reader?.cancel();
    else while (!(await reader?.read().catch(() => ({ done: true })))?.done);
    await expect.poll(() => gateway.log.length).toBe(1);
    const spans = await listSpans();
    const attempt = spans.find(({ kind }) => kind === 3);
    const relay = spans.find(({ name }) => name === 'relay');
    expect([readAttribute(attempt, 'gateway.outcome'), attempt?.status.code]).toEqual([outcome, code]);
    // A span begins at a whole millisecond of the clock, so that what comes of its duration may be one early.
    const ended = BigInt(attempt?.endTimeUnixNano ?? 0) + MILLISECOND_NS;
    expect(ended).toBeGreaterThan(BigInt(relay?.startTimeUnixNano ?? 0));
    const lasted = BigInt(attempt?.endTimeUnixNano ?? 0) - BigInt(attempt?.startTimeUnixNano ?? 0);
    const firstChunk = Number(readAttribute(attempt, 'gen_ai.response.time_to_first_chunk'));
    expect(firstChunk).toBeGreaterThan(0);
    expect(firstChunk).toBeLessThan(Number(lasted) / 1e9);
    expect(readAttribute(attempt, 'gen_ai.request.stream')).toBe(true);
  });

  it('holds no body and no key, goes to the collector with its headers, and is named', async () => {
    await start();
    await (await ask()).text();
    await listSpans();
    const text = JSON.stringify(collector.exports.map(({ body }) => body));
    expect(text).not.toContain('a private thought');
    expect(text).not.toContain(gateway.key);
    expect(collector.exports[0]).toMatchObject({ path: '/v1/traces', authorization: 'Bearer of-the-test' });
    const resource = collector.exports[0]?.body.resourceSpans[0]?.resource;
    expect(resource?.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'test' } });
  });

  it('that creates a video has a stage for its route and one for its limits', async () => {
    const model = { slug: 'v', kind: 'video', createdAt: 0, prices: [] };
    const channel = makeChannel('films', { type: 'openai', apiKeys: ['k'], models: new Map([['v', 'v']]) });
    const catalog = () =>
      ({
        version: 1,
        models: new Map([['v', model]]),
        channelsBySlug: new Map([['v', [channel]]]),
      }) as unknown as Catalog;
    await start(1, collector.url, { catalog });
    // There is no billing to hold anything.
    const answer = await gateway.post('/v1/videos', { model: 'v', prompt: 'a cat' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const stages = (await listSpans()).filter(({ kind }) => kind === 1).map(({ name }) => name);
    expect(stages).toEqual(['admit', 'receive', 'once', 'open', 'route', 'limit', 'reserve']);
  });

  it('that was refused says so', async () => {
    await start();
    await (await ask({ authorization: 'Bearer sk-nobody-knows-me00' })).text();
    await (await ask({}, { ...CHAT, model: 'nobody' })).text();
    const roots = (await listSpans()).filter(({ kind }) => kind === 2);
    expect(roots.map(({ status }) => status.code)).toEqual([2, 2]);
    expect(readAttribute(roots[1], 'error.type')).toBe('model_not_found');
  });
});

describe('a call without a trace', () => {
  it('sends none to the upstream where its caller is in none', async () => {
    await start(0);
    await (await ask({ tracestate: 'vendor=1' })).text();
    expect(await listSpans()).toEqual([]);
    expect(stateOf()).toEqual([undefined, undefined]);
    expect(upstream.calls.map(({ headers }) => headers['traceparent'])).toEqual([undefined, undefined]);
  });

  it.each([
    ['one that no traces are wanted of', 1, '00'],
    ['one that is not in the share', 0, '01'],
  ])('passes the context of its caller on, as not sampled: %s', async (_why, share, flags) => {
    await start(share);
    await (await ask(caller(flags, 'vendor=1'))).text();
    const passed = `00-${TRACE_ID}-${CALLERS_SPAN}-00`;
    expect(upstream.calls.map(({ headers }) => headers['traceparent'])).toEqual([passed, passed]);
    expect(stateOf()).toEqual(['vendor=1', 'vendor=1']);
    expect(await listSpans()).toEqual([]);
  });

  it('is every call where no endpoint is set', async () => {
    tracing = NO_TRACING;
    gateway = await startSmallGateway('untraced');
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
    expect((await ask(caller())).status).toBe(200);
    expect(upstream.calls[0]?.headers['traceparent']).toBeUndefined();
  });
});

it('a collector that is away delays no call, and is logged once', async () => {
  const [port] = await findFreePorts(1);
  await start(1, `http://127.0.0.1:${port}`);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  await tracing.close();
  // The last try may end after the time that closing waits for it.
  await expect.poll(() => failures).toHaveLength(1);
});
