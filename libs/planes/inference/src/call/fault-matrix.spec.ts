import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Catalog, type ChannelTimeouts, DEFAULT_TIMEOUTS, parsePrice } from '@mg/contract';
import { RetryBudget } from '@mg/routing';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT_PATH = '/v1/chat/completions';
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300) }], max_tokens: 20 };
const IMAGE_PATH = '/v1/images/generations';
const IMAGE = { model: 'm', prompt: 'a fox' };
const KEY = 'sk-provider-0123456789-abcd';
const WITHIN = { timeout: 30_000 };

let upstream: FakeUpstream;
/** Takes connections and says nothing. */
let silent: Server;
let chats: SmallGateway;
let images: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
  silent = createServer((socket) => socket.on('error', () => undefined).unref());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  let nowMs = 0;
  // A second goes by between two retries.
  const retries = new RetryBudget(() => (nowMs += 1_000));
  chats = await startSmallGateway('matrix', { retries });
  const prices = [{ versionId: 'p', effectiveFrom: 0, price: parsePrice({ per_image: '0.01' }) }];
  const models = new Map([['m', { slug: 'm', kind: 'image', createdAt: 0, prices }]]);
  images = await startSmallGateway('matrix', {
    retries,
    catalog: () =>
      ({ version: 1, channelsBySlug: new Map([['m', images.channels]]), models }) as unknown as Catalog,
  });
});
afterEach(() => upstream.reset());
afterAll(async () => {
  silent.close();
  await Promise.all([chats.close(), images.close(), upstream.close()]);
});

/** What one failure of the first of two channels comes to. */
interface Row {
  readonly failure: string;
  /** Whether the second channel is asked. */
  readonly goesOn: boolean;
  /** What the caller sees. */
  readonly status: number;
  /** Why the first attempt may be billed to us. */
  readonly waste?: string;
  /** What is left out from now on. */
  readonly leftOut?: 'channel' | 'key';
}

const BEFORE_THE_ANSWER: readonly Row[] = [
  { failure: 'nobody', goesOn: true, status: 200 },
  { failure: 'unknown-host', goesOn: true, status: 200 },
  { failure: 'connect-timeout', goesOn: true, status: 200 },
  { failure: 'tls-error', goesOn: true, status: 200 },
  { failure: 'breaker-open', goesOn: true, status: 200, leftOut: 'channel' },
  { failure: 'error-400-key', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-401', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-402', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-403', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-403-file', goesOn: true, status: 200 },
  { failure: 'error-404', goesOn: true, status: 200 },
  { failure: 'error-404-file', goesOn: true, status: 200 },
  { failure: 'error-424', goesOn: true, status: 200 },
  { failure: 'error-429-retry-after', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-529', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-500', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-502-html', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-503', goesOn: true, status: 200 },
  { failure: 'error-504', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'hang-before-headers', goesOn: true, status: 200, waste: 'timed_out' },
  { failure: 'reset-before-headers', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'garbage-body', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'empty-body', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-with-200', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-400-context', goesOn: false, status: 400 },
  { failure: 'error-400-policy', goesOn: false, status: 400 },
  { failure: 'error-400-parameter', goesOn: false, status: 400 },
  { failure: 'error-403-flagged', goesOn: false, status: 400 },
  { failure: 'error-413', goesOn: false, status: 400 },
  { failure: 'error-422', goesOn: false, status: 400 },
];
/** An image that may have been made, and billed, is not ordered again. */
const OF_IMAGES: readonly Row[] = BEFORE_THE_ANSWER.map((row) =>
  row.waste === undefined ? row : { ...row, goesOn: false, status: 502 },
);
const OF_STREAMS: readonly Row[] = [
  { failure: 'reset-after-headers', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-event-first', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-event-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'end-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'reset-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'hang-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
];

/** Of channels that are to be given up: a busy machine takes so long over an answer of others. */
const GIVEN_UP_MS = 300;
const UNCONNECTED = { ...DEFAULT_TIMEOUTS, connectMs: GIVEN_UP_MS };

function findTimeouts(failure: string, stream: boolean): ChannelTimeouts {
  if (failure === 'connect-timeout' || failure === 'unknown-host') return UNCONNECTED;
  if (!failure.startsWith('hang')) return DEFAULT_TIMEOUTS;
  return stream
    ? { ...DEFAULT_TIMEOUTS, firstByteMs: GIVEN_UP_MS, idleMs: GIVEN_UP_MS }
    : { ...DEFAULT_TIMEOUTS, totalMs: GIVEN_UP_MS };
}

function findAddress(failure: string): string {
  switch (failure) {
    case 'nobody':
      return 'http://127.0.0.1:9';
    case 'unknown-host':
      return 'http://nobody.invalid';
    case 'connect-timeout':
      return `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    case 'tls-error':
      return upstream.url.replace('http:', 'https:');
    default:
      return upstream.url;
  }
}

/** Channels that no row before has asked. */
function serve(gateway: SmallGateway, failure: string, stream: boolean): void {
  gateway.channels = [failure, 'plain'].map((behaviour, index) =>
    makeChannel(`channel-${index}`, {
      baseUrl: findAddress(behaviour),
      apiKeys: [KEY],
      models: new Map([['m', behaviour]]),
      priority: -index,
      timeouts: findTimeouts(behaviour, stream),
    }),
  );
  const [first] = gateway.channels;
  if (failure !== 'breaker-open' || !first) return;
  for (let count = 0; count < 5; count++) {
    gateway.context.health.recordFailure({ channelId: first.id, slug: 'm' }, { kind: 'broken' });
  }
}

async function expectRow(
  { failure, goesOn, status, waste, leftOut }: Row,
  gateway: SmallGateway,
  body: { readonly model: string; readonly stream?: boolean },
): Promise<void> {
  serve(gateway, failure, body.stream ?? false);
  const logged = gateway.log.length;
  const answer = await gateway.post(gateway === images ? IMAGE_PATH : CHAT_PATH, body);
  const text = await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(logged + 1);
  const log = gateway.log.at(-1);
  const id = log?.requestId;
  const isCharged = goesOn && status === 200;
  // Which attempts happened.
  const first = failure === 'breaker-open' ? [] : ['failed'];
  expect(log?.attempts.map(({ outcome }) => outcome)).toEqual(goesOn ? [...first, 'served'] : first);
  // What the caller saw.
  expect(answer.status).toBe(status);
  expect(text.includes('"error"')).toBe(!isCharged);
  // What was charged, and what was not.
  expect((log?.cost ?? 0n) > 0n).toBe(isCharged);
  const ends = gateway.journal.filter(({ requestId, phase }) => requestId === id && phase !== 'checkpoint');
  expect(ends.map(({ phase }) => phase)).toEqual([isCharged ? 'usage' : 'cancel']);
  expect(ends[0]?.waste?.map(({ attempt, reason }) => [attempt, reason]) ?? []).toEqual(
    waste === undefined ? [] : [[0, waste]],
  );
  // What health says afterwards.
  const ids = gateway.channels.map((channel) => channel.id);
  const resting = gateway.context.health.listCooldowns().filter(({ channelId }) => ids.includes(channelId));
  expect(resting.map(({ key }) => (key ? 'key' : 'channel'))).toEqual(leftOut === undefined ? [] : [leftOut]);
}

describe('the fault matrix: one failure of the first of two channels', () => {
  it.each(BEFORE_THE_ANSWER)('$failure, whole answer', (row) => expectRow(row, chats, CHAT));

  it.each([...BEFORE_THE_ANSWER, ...OF_STREAMS])('$failure, stream', (row) =>
    expectRow(row, chats, { ...CHAT, stream: true }),
  );

  it.each(OF_IMAGES)('$failure, image', (row) => expectRow(row, images, IMAGE));
});
