import { DEFAULT_TIMEOUTS } from '@mg/contract';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(300) }], max_tokens: 20 };
const KEY = 'sk-provider-0123456789-abcd';
const WITHIN = { timeout: 30_000 };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  gateway = await startSmallGateway('matrix');
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

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
  { failure: 'error-401', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-402', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-403', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-404', goesOn: true, status: 200 },
  { failure: 'error-429-retry-after', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-529', goesOn: true, status: 200, leftOut: 'key' },
  { failure: 'error-500', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-502-html', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-503', goesOn: true, status: 200 },
  { failure: 'reset-before-headers', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'garbage-body', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'empty-body', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-with-200', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-400-context', goesOn: false, status: 400 },
  { failure: 'error-400-policy', goesOn: false, status: 400 },
  { failure: 'error-400-parameter', goesOn: false, status: 400 },
];
const OF_STREAMS: readonly Row[] = [
  { failure: 'hang-before-headers', goesOn: true, status: 200, waste: 'timed_out' },
  { failure: 'reset-after-headers', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-event-first', goesOn: true, status: 200, waste: 'failed' },
  { failure: 'error-event-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'end-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'reset-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
  { failure: 'hang-in-stream', goesOn: false, status: 200, waste: 'stream_broken' },
];

/** Of channels that are to be given up: a busy machine takes so long over an answer of others. */
const IMPATIENT = { ...DEFAULT_TIMEOUTS, firstByteMs: 300, idleMs: 300 };

function serve(failure: string): void {
  gateway.channels = [failure, 'plain'].map((behaviour, index) =>
    makeChannel(`channel-${index}`, {
      baseUrl: behaviour === 'nobody' ? 'http://127.0.0.1:9' : upstream.url,
      apiKeys: [KEY],
      models: new Map([['m', behaviour]]),
      priority: -index,
      timeouts: behaviour.startsWith('hang') ? IMPATIENT : DEFAULT_TIMEOUTS,
    }),
  );
}

async function expectRow({ failure, goesOn, status, waste, leftOut }: Row, stream: boolean): Promise<void> {
  serve(failure);
  const answer = await gateway.post('/v1/chat/completions', { ...CHAT, stream });
  const text = await answer.text();
  await expect.poll(() => gateway.log.length, WITHIN).toBe(1);
  const [log] = gateway.log;
  const isCharged = goesOn && status === 200;
  // Which attempts happened.
  expect(log?.attempts.map(({ outcome }) => outcome)).toEqual(
    goesOn ? ['failed', 'served'] : [waste === 'stream_broken' ? 'served' : 'failed'],
  );
  // What the caller saw.
  expect(answer.status).toBe(status);
  expect(text.includes('"error"')).toBe(!isCharged);
  // What was charged, and what was not.
  expect((log?.cost ?? 0n) > 0n).toBe(isCharged);
  const ends = gateway.journal.filter(({ phase }) => phase !== 'checkpoint');
  expect(ends.map(({ phase }) => phase)).toEqual([isCharged ? 'usage' : 'cancel']);
  expect(ends[0]?.waste?.map(({ attempt, reason }) => [attempt, reason]) ?? []).toEqual(
    waste === undefined ? [] : [[0, waste]],
  );
  // What health says afterwards.
  expect(gateway.context.health.listCooldowns().map(({ key }) => (key ? 'key' : 'channel'))).toEqual(
    leftOut === undefined ? [] : [leftOut],
  );
}

describe('the fault matrix: one failure of the first of two channels', () => {
  it.each(BEFORE_THE_ANSWER)('$failure, whole answer', (row) => expectRow(row, false));
  it.each([...BEFORE_THE_ANSWER, ...OF_STREAMS])('$failure, stream', (row) => expectRow(row, true));
});
