import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import {
  type AttemptRow,
  type Channel,
  type ChannelTimeouts,
  DEFAULT_TIMEOUTS,
  type Task,
  type TaskEnd,
} from '@mg/contract';
import { AttemptTally, ChannelHealth, KeyRotation } from '@mg/routing';
import { BEHAVIOURS } from '@mg/testkit';
import { JobHttp } from '@mg/transport';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TaskTrace } from '../trace/task-trace.js';
import type { WorkerContext } from '../worker-context.js';
import { ChannelGate } from './channel-gate.js';
import { submitTask } from './submit-task.js';

const KEY = 'sk-provider-0123456789-abcd';
const ORDER = '{"content":[{"type":"text","text":"a cat"}],"duration":5}';
const GIVEN_UP_MS = 300;
/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9';

/** Answers as the first part of a path says. */
const server = createServer((request, response) => {
  request.resume();
  const [, name = ''] = (request.url ?? '').split('/');
  const { failure } = BEHAVIOURS[name] ?? {};
  if (failure?.kind === 'hang') return;
  if (failure?.kind === 'reset') return void request.socket.resetAndDestroy();
  const made = { kind: 'reply', status: 200, body: { id: 'cgt-1' } } as const;
  const {
    status,
    body,
    headers = {},
    ...reply
  } = failure?.kind === 'reply' ? failure : { ...made, headers: {} };
  const contentType = 'contentType' in reply ? String(reply.contentType) : 'application/json';
  response.writeHead(status, { 'content-type': contentType, ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
/** Takes connections and says nothing. */
const silent = createSocketServer((socket) => socket.on('error', () => undefined).unref());
const http = new JobHttp('matrix');
beforeAll(async () => {
  await Promise.all([server, silent].map((one) => once(one.listen(0, '127.0.0.1'), 'listening')));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  silent.close();
  await http.close();
});

/** What one failure of the first of two channels comes to. */
interface Row {
  readonly failure: string;
  /**
   * What becomes of the order: the second channel takes it, which is charged; its caller is told 400; or nobody knows whether a video
   * is made, so that it is neither ordered again nor charged.
   */
  readonly end: 'taken' | 'refused' | 'unknown';
  /** What is left out from now on. */
  readonly leftOut?: 'channel' | 'key';
}

const ROWS: readonly Row[] = [
  { failure: 'nobody', end: 'taken' },
  { failure: 'unknown-host', end: 'taken' },
  { failure: 'connect-timeout', end: 'taken' },
  { failure: 'tls-error', end: 'taken' },
  { failure: 'breaker-open', end: 'taken', leftOut: 'channel' },
  { failure: 'error-401', end: 'taken', leftOut: 'key' },
  { failure: 'error-402', end: 'taken', leftOut: 'key' },
  { failure: 'error-403', end: 'taken', leftOut: 'key' },
  { failure: 'error-404', end: 'taken' },
  { failure: 'error-424', end: 'taken' },
  { failure: 'error-429-retry-after', end: 'taken', leftOut: 'key' },
  { failure: 'error-503', end: 'taken', leftOut: 'key' },
  { failure: 'error-529', end: 'taken', leftOut: 'key' },
  // The provider itself says that it has not taken the order.
  { failure: 'error-500', end: 'taken' },
  { failure: 'error-504', end: 'taken' },
  { failure: 'error-with-200', end: 'taken' },
  { failure: 'error-502-html', end: 'unknown' },
  { failure: 'hang-before-headers', end: 'unknown' },
  { failure: 'reset-before-headers', end: 'unknown' },
  { failure: 'garbage-body', end: 'unknown' },
  { failure: 'empty-body', end: 'unknown' },
  { failure: 'error-400-context', end: 'refused' },
  { failure: 'error-400-policy', end: 'refused' },
  { failure: 'error-400-parameter', end: 'refused' },
  { failure: 'error-413', end: 'refused' },
  { failure: 'error-422', end: 'refused' },
];

const addressOf = (one: Server | typeof silent) => `127.0.0.1:${(one.address() as AddressInfo).port}`;

function findAddress(failure: string): string {
  switch (failure) {
    case 'nobody':
      return NOBODY;
    case 'unknown-host':
      return 'http://nobody.invalid';
    case 'connect-timeout':
      return `https://${addressOf(silent)}`;
    case 'tls-error':
      return `https://${addressOf(server)}`;
    default:
      return `http://${addressOf(server)}/${failure}`;
  }
}

function findTimeouts(failure: string): ChannelTimeouts {
  if (failure === 'hang-before-headers') return { ...DEFAULT_TIMEOUTS, totalMs: GIVEN_UP_MS };
  return { ...DEFAULT_TIMEOUTS, connectMs: GIVEN_UP_MS };
}

/** A worker whose task is kept in memory. */
class Bench {
  readonly channels: readonly Channel[];
  readonly attempts: AttemptRow[] = [];
  readonly ends: TaskEnd[] = [];
  readonly health = new ChannelHealth(() => performance.now());
  readonly tally = new AttemptTally();
  charges = 0;
  isUnknown = false;

  constructor(behaviours: readonly string[]) {
    this.channels = behaviours.map(
      (behaviour, index) =>
        ({
          id: `channel-${index}`,
          name: `channel-${index}`,
          type: 'videonative',
          baseUrl: findAddress(behaviour),
          apiKeys: [KEY],
          settings: {},
          models: new Map([['m', 'film']]),
          priority: -index,
          weight: 1,
          timeouts: findTimeouts(behaviour),
        }) as unknown as Channel,
    );
  }

  async submit(): Promise<void> {
    const { attempts } = this;
    const keep = (attempt?: AttemptRow) => (attempt ? attempts.push(attempt) > 0 : true);
    const worker = {
      catalog: () => ({ channelsBySlug: new Map([['m', this.channels]]) }),
      store: {
        readOrder: async () => Buffer.from(ORDER),
        markSubmitting: async () => true,
        noteRefused: async (_claim: unknown, _note: string, _lease: number, row: AttemptRow) => keep(row),
        noteSubmitted: async (_claim: unknown, _job: unknown, _next: unknown, row: AttemptRow) => keep(row),
        noteSubmitUnknown: async (_claim: unknown, _next: unknown, row: AttemptRow) => {
          this.isUnknown = true;
          return keep(row);
        },
      },
      money: {
        chargeTask: async () => void this.charges++,
        endTask: async (end: TaskEnd) => void this.ends.push(end),
      },
      http,
      keys: new KeyRotation(),
      health: this.health,
      attempts: this.tally,
      gate: new ChannelGate(1),
      rates: { take: async () => ({ waitSeconds: 0, giveBack: async () => undefined }) },
      metrics: { submits: { inc: () => undefined } },
      trace: new TaskTrace(),
      logger: { warn: () => undefined },
    } as unknown as WorkerContext;
    const task = {
      id: 't',
      model: 'm',
      apiVariant: 'native',
      createdAt: Date.now(),
    } as Task;
    await submitTask({ task, claim: { taskId: 't', by: 'w' }, orderBytes: 60 }, worker);
  }
}

describe('the fault matrix: one failure of the first of two channels', () => {
  it.each(ROWS)('$failure, submit of a video', async ({ failure, end, leftOut }) => {
    const bench = new Bench([failure, 'plain']);
    const isOpen = failure === 'breaker-open';
    const failures = isOpen ? 5 : 0;
    for (let count = 0; count < failures; count++) {
      bench.health.recordFailure({ channelId: 'channel-0', slug: 'm' }, { kind: 'broken' });
    }
    await bench.submit();
    // Which attempts happened.
    const first = isOpen ? [] : ['channel-0 failed'];
    expect(bench.attempts.map(({ channel, outcome }) => `${channel} ${outcome}`)).toEqual(
      end === 'taken' ? [...first, 'channel-1 served'] : first,
    );
    // What the caller saw.
    expect(bench.ends.map(({ state, error }) => [state, error?.status])).toEqual(
      end === 'refused' ? [['failed', 400]] : [],
    );
    expect(bench.isUnknown).toBe(end === 'unknown');
    // What was charged, and what was not.
    expect(bench.charges).toBe(end === 'taken' ? 1 : 0);
    // What health says afterwards, and the figures of the channels.
    const resting = bench.health.listCooldowns().map(({ key }) => (key ? 'key' : 'channel'));
    expect(resting).toEqual(leftOut === undefined ? [] : [leftOut]);
    const counted = bench.tally.take().map((part) => [part.channelId, part.served, part.failed]);
    expect(counted).toEqual([
      ...(isOpen || end === 'refused' ? [] : [['channel-0', 0, 1]]),
      ...(end === 'taken' ? [['channel-1', 1, 0]] : []),
    ]);
  });
});

describe('the submits of a video', () => {
  it('go on with another key of the channel where one is refused', async () => {
    const bench = new Bench(['error-401', 'plain']);
    Object.assign(bench.channels[0] ?? {}, { apiKeys: [KEY, 'sk-provider-0123456789-efgh'] });
    await bench.submit();
    expect(bench.attempts.map(({ channel, outcome, reason }) => [channel, outcome, reason])).toEqual([
      ['channel-0', 'failed', expect.stringMatching(/^priority 0, the only one; status 401: Incorrect/)],
      [
        'channel-0',
        'failed',
        expect.stringMatching(/^priority 0, the only one, with another key; status 401/),
      ],
      ['channel-1', 'served', 'priority -1, the only one, after 1 other'],
    ]);
    expect(bench.tally.take().map(({ key, failed }) => [key, failed])).toHaveLength(3);
    expect(bench.health.listCooldowns()).toHaveLength(2);
  });

  it('have one of them find out whether a channel is back', async () => {
    const bench = new Bench(['plain', 'plain']);
    const part = { channelId: 'channel-0', slug: 'm' };
    bench.health.apply({
      ...part,
      cooldownMs: 1,
      consecutiveFailures: 5,
      ejections: 1,
      kind: 'broken',
      reason: '',
    });
    await expect.poll(() => bench.health.listHalfOpen('channel-0')).toHaveLength(1);
    expect(bench.health.admit(part)).toBe('probe');
    await bench.submit();
    expect(bench.attempts.map(({ channel }) => channel)).toEqual(['channel-1']);
  });
});
