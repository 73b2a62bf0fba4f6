import { newId, sha256, type Channel, DEFAULT_TIMEOUTS } from '@mg/contract';
import { BatchWork, deriveSecretKey, openDatabase, UpstreamBatches } from '@mg/persistence/video';
import { WalletBatches } from '@mg/persistence/gateway';
import { Counter, createLogger, Registry } from '@mg/runtime';
import { createTestDatabase, type FakeUpstream, seedPayer, startFakeUpstream } from '@mg/testkit';
import { JobHttp } from '@mg/transport';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BatchContext } from '../batch-context.js';
import { BatchRunner } from '../batch-runner.js';
import { FakeGateway, HOLD } from '../../testing/fake-gateway.js';
import { NativeRunner } from './native-runner.js';

const KEY = deriveSecretKey('encryption-key-of-the-native-batches');
const UPSTREAM_KEY = 'sk-upstream';
const MODEL = 'plain';

let database: Awaited<ReturnType<typeof openDatabase>>;
let stopDatabase: () => Promise<void>;
let upstream: FakeUpstream;
let batches: WalletBatches;
let walletId: string;
let channel: Channel;
let gateway: FakeGateway;

beforeAll(async () => {
  const made = await createTestDatabase(async (url) => {
    await (await openDatabase({ url, poolSize: 1, applicationName: 'test' })).destroy();
  });
  stopDatabase = made.stop;
  database = await openDatabase({ url: made.databaseUrl, poolSize: 8, applicationName: 'test' });
  upstream = await startFakeUpstream({ acceptedKeys: [UPSTREAM_KEY] });
  batches = new WalletBatches(database, KEY);
});
beforeEach(async () => {
  await database.query('delete from batch');
  upstream.reset();
  ({ walletId } = await seedPayer(database, { balance: 1n }));
  channel = {
    id: newId(),
    name: 'native',
    type: 'openai',
    baseUrl: `${upstream.url}/v1`,
    apiKeys: [UPSTREAM_KEY],
    models: new Map([[MODEL, MODEL]]),
    settings: {},
    priority: 0,
    weight: 1,
    timeouts: DEFAULT_TIMEOUTS,
    batches: 'native',
  };
  const keyFingerprint = sha256(UPSTREAM_KEY);
  gateway = new FakeGateway({ channelId: channel.id, keyFingerprint, upstreamModel: MODEL });
});
afterEach(async () => {
  await Promise.all(
    workers.splice(0).map(({ native, runner }) => native.close().then(() => runner.close(0))),
  );
});
afterAll(async () => {
  await http.close();
  await upstream.close();
  await database.destroy();
  await stopDatabase();
});

const http = new JobHttp('test');
const workers: Worker[] = [];

/** A life of a worker: its runners, which are asked to look by hand. */
function openWorker(name: string): Worker {
  const context = {
    work: new BatchWork(database, KEY, name),
    gateway,
    native: {
      upstream: new UpstreamBatches(database, KEY, name),
      catalog: () => ({ version: 1, models: new Map(), channelsBySlug: new Map([[MODEL, [channel]]]) }),
      findChannel: async () => channel,
      http,
    },
    files: { write: async () => ({ id: 'file' }) },
    concurrency: 64,
    lines: new Counter({
      name: 'lines',
      help: 'lines',
      labelNames: ['outcome'],
      registers: [new Registry()],
    }),
    logger: createLogger({ plane: 'test', level: 'silent' }),
  } as unknown as BatchContext;
  const worker = { runner: new BatchRunner(context), native: new NativeRunner(context), context };
  workers.push(worker);
  return worker;
}

interface Worker {
  readonly runner: BatchRunner;
  readonly native: NativeRunner;
  readonly context: BatchContext;
}

const hurry = () =>
  database.query('update upstream_batch set next_run_at = now(), claimed_until = null, claimed_by = null');
const pass = (seconds: number) =>
  database.query(
    `update upstream_batch set creating_since = creating_since - make_interval(secs => $1), created_at = created_at - make_interval(secs => $1)`,
    [seconds],
  );
const lines = () =>
  database.query<{ line: number; state: string; is_call: boolean; upstream_batch_id: string | null }[]>(
    'select line, state, is_call, upstream_batch_id from batch_line order by line',
  );
const states = async () => (await lines()).map(({ state }) => state);
const rows = () =>
  database.query<{ state: string; outcome: string | null }[]>(
    'select state, outcome from upstream_batch order by created_at, id',
  );
const outcomes = async () => (await rows()).map(({ outcome }) => outcome);

async function create(id: string, count: number, windowSeconds = 86_400): Promise<void> {
  const body = (at: number) =>
    JSON.stringify({ model: MODEL, max_tokens: 20, messages: [{ role: 'user', content: `line ${at}` }] });
  await batches.createWithLines(
    {
      id,
      walletId,
      tokenId: newId(),
      keyHash: sha256('sk-caller'),
      api: 'batch',
      endpoint: '/v1/chat/completions',
      details: {},
      windowSeconds,
    },
    Array.from({ length: count }, (_, at) => ({ tag: `line-${at + 1}`, body: body(at + 1) })),
  );
}

/** Has a worker look, again and again, until something is true of the database. */
async function work(worker: Worker, isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error('it is not done in time');
    await worker.runner.fill();
    await hurry();
    await worker.native.stepDue();
  }
}
const areParked = async () => (await lines()).every((line) => line.upstream_batch_id !== null);
const isRunning = async () => (await rows()).some(({ state }) => state === 'running');
const isOver = async () => {
  const all = await rows();
  return all.length > 0 && all.every(({ state }) => state === 'ended');
};

describe("a batch of the provider's", () => {
  it('carries out all lines at once, each held for and settled once', async () => {
    await create('batch_a', 3);
    const worker = openWorker('one');
    await work(worker, isOver);
    expect(await states()).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(await outcomes()).toEqual(['completed']);
    expect(upstream.batches.made).toHaveLength(1);
    const [made] = upstream.batches.made;
    expect(made?.metadata).toEqual({ gateway_batch: expect.any(String) });
    const prepared = gateway.of('prepare').map(({ requestId }) => requestId);
    expect(made?.lines.map(({ customId }) => customId.split('.')[1]).toSorted()).toEqual(prepared.toSorted());
    const settled = gateway.of('settle').map(({ requestId, hold }) => [requestId, hold]);
    expect(settled.toSorted()).toEqual(prepared.toSorted().map((id) => [id, HOLD]));
    expect(gateway.of('release')).toEqual([]);
    expect(gateway.calls).toEqual([]);
    const [kept] = await database.query<{ sealed: number }[]>(
      'select count(upstream_sealed)::int as sealed from batch_line',
    );
    expect(kept?.sealed).toBe(0);
  });

  it.each(['unanswered', 'broken'] as const)(
    'whose creation was %s when its worker was lost is there once in the end',
    async (create_) => {
      upstream.batches.behave({ create: create_ });
      await create('batch_b', 2);
      const first = openWorker('lost');
      await work(first, async () => (await rows()).some(({ state }) => state === 'creating'));
      const second = openWorker('second');
      await hurry();
      await second.native.stepDue();
      // It may still be on its way: nobody creates another one yet.
      expect(upstream.batches.made).toHaveLength(create_ === 'unanswered' ? 1 : 0);
      expect(await isRunning()).toBe(create_ === 'unanswered');
      await pass(600);
      await work(second, isOver);
      expect(upstream.batches.made).toHaveLength(1);
      expect(await states()).toEqual(['succeeded', 'succeeded']);
    },
  );

  it('is one although two workers look for work at the same time', async () => {
    await create('batch_c', 20);
    const [first, second] = [openWorker('first'), openWorker('second')];
    const look = async () => {
      await Promise.all([first.runner.fill(), second.runner.fill()]);
      await Promise.all([first.native.stepDue(), second.native.stepDue()]);
      await database.query('update upstream_batch set next_run_at = now()');
      return isOver();
    };
    await expect.poll(look, { timeout: 20_000 }).toBe(true);
    expect(upstream.batches.made).toHaveLength(1);
    expect(new Set(gateway.of('settle').map(({ requestId }) => requestId)).size).toBe(20);
    expect(gateway.of('settle')).toHaveLength(20);
    expect(new Set(await states())).toEqual(new Set(['succeeded']));
  });

  it('whose key was removed is lost: its lines end, and are not sent again', async () => {
    upstream.batches.behave({ wait: () => new Promise(() => undefined) });
    await create('batch_d', 2);
    const worker = openWorker('one');
    await work(worker, isRunning);
    channel = { ...channel, apiKeys: ['sk-another'] };
    await work(worker, isOver);
    expect(await outcomes()).toEqual(['lost']);
    expect(await states()).toEqual(['failed', 'failed']);
    expect(gateway.of('release').map(({ lost }) => lost)).toEqual([
      { channelId: channel.id, hold: HOLD },
      { channelId: channel.id, hold: HOLD },
    ]);
    await worker.runner.fill();
    expect(gateway.calls).toEqual([]);
    expect(gateway.of('settle')).toEqual([]);
  });

  it.each([
    ['says nothing of a line', { silentAbout: 1 }, ['failed', 'succeeded', 'succeeded'], 'completed', 1],
    ['has lost its results', { losesFiles: true }, ['failed', 'failed', 'failed'], 'lost', 3],
  ] as const)(
    'that %s leaves it unknown, and it is not repeated',
    async (_, behaviour, wanted, outcome, lost) => {
      upstream.batches.behave(behaviour);
      await create('batch_e', 3);
      await work(openWorker('one'), isOver);
      expect(await outcomes()).toEqual([outcome]);
      expect(await states()).toEqual(wanted);
      expect(gateway.of('release').filter((step) => step.lost)).toHaveLength(lost);
      expect(gateway.calls).toEqual([]);
    },
  );

  it('that expired is settled as far as it came; the others are made as calls', async () => {
    upstream.batches.behave({ expiresAfter: 1 });
    await create('batch_f', 3);
    const worker = openWorker('one');
    await work(worker, isOver);
    await expect.poll(async () => (await worker.runner.fill(), states())).toEqual(Array(3).fill('succeeded'));
    expect(gateway.of('settle')).toHaveLength(1);
    expect(gateway.of('release').map(({ lost }) => lost)).toEqual([undefined, undefined]);
    expect(gateway.calls).toHaveLength(2);
    expect(upstream.batches.made).toHaveLength(1);
  });

  it('that the provider refuses is made as calls', async () => {
    upstream.batches.behave({ create: 400 });
    await create('batch_g', 2);
    const worker = openWorker('one');
    await work(worker, isOver);
    expect(await outcomes()).toEqual(['refused']);
    await expect.poll(async () => (await worker.runner.fill(), states())).toEqual(Array(2).fill('succeeded'));
    expect(gateway.calls).toHaveLength(2);
    expect(gateway.of('release')).toHaveLength(2);
  });

  it('settles errors of lines, counts results of unknown ids, and settles nothing twice', async () => {
    upstream.script(
      MODEL,
      { failure: { kind: 'reply', status: 400, body: { error: { message: 'no' } } } },
      {},
    );
    upstream.batches.behave({ alsoAnswers: [`1.${newId()}`, 'what-is-this'] });
    await create('batch_h', 2);
    const worker = openWorker('one');
    await work(worker, isOver);
    expect(await states()).toEqual(['failed', 'succeeded']);
    expect(
      gateway
        .of('settle')
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual([200, 400]);
    const counted = await worker.context.lines.get();
    expect(counted.values).toContainEqual({ labels: { outcome: 'unknown' }, value: 2 });
  });

  it('settles several lines at once; lost in the middle, another worker settles what has not ended, once each', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    const alsoAnswers: string[] = [];
    upstream.batches.behave({ wait: () => opened, alsoAnswers });
    await create('batch_s', 40);
    const first = openWorker('lost');
    await work(first, isRunning);
    const names = upstream.batches.made[0]?.lines.map(({ customId }) => customId) ?? [];
    // The last one stands in the results three times.
    alsoAnswers.push(...names.slice(-1), ...names.slice(-1));
    const halves: (() => void)[] = [];
    gateway.beforeSettling = () =>
      gateway.of('settle').length <= 12
        ? Promise.resolve()
        : new Promise((_, reject) => halves.push(() => reject(new Error('killed'))));
    go();
    await expect.poll(() => upstream.batches.made[0]?.status).toBe('completed');
    await hurry();
    const lost = first.native.stepDue();
    await expect.poll(() => halves.length).toBe(8);
    expect((await states()).filter((state) => state === 'succeeded')).toHaveLength(12);
    const closed = first.native.close();
    for (const end of halves) end();
    await Promise.all([lost, closed]);
    gateway.beforeSettling = async () => undefined;
    await work(openWorker('second'), isOver);
    expect(new Set(await states())).toEqual(new Set(['succeeded']));
    const settled = Map.groupBy(gateway.of('settle'), ({ requestId }) => requestId);
    expect([...settled.keys()].toSorted()).toEqual(names.map((name) => name.split('.')[1]).toSorted());
    // Again only what was in progress: the gateway gives the same answer to the same Idempotency-Key.
    expect([...settled.values()].filter((steps) => steps.length > 1)).toHaveLength(8);
  });

  it('is cancelled with its batch: what was made is settled, the rest is not sent', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    upstream.batches.behave({ wait: () => opened });
    await create('batch_i', 2);
    const worker = openWorker('one');
    await work(worker, isRunning);
    await batches.cancel(walletId, 'batch', 'batch_i');
    await work(worker, async () => upstream.batches.made.some((made) => made.isCancelled));
    expect(await worker.context.work.claimBatch()).toBeUndefined();
    go();
    await work(worker, isOver);
    expect(await outcomes()).toEqual(['cancelled']);
    expect(gateway.of('release')).toHaveLength(2);
    await worker.runner.fill();
    expect(gateway.calls).toEqual([]);
    expect(await worker.context.work.claimBatch()).toMatchObject({ id: 'batch_i', state: 'finalizing' });
  });

  it('has lines of another batch of the wallet wait until it has ended', async () => {
    const { promise: opened, resolve: go } = Promise.withResolvers<void>();
    upstream.batches.behave({ wait: () => opened });
    await create('batch_j', 1);
    const worker = openWorker('one');
    await work(worker, isRunning);
    await create('batch_k', 2);
    await expect
      .poll(async () => {
        await worker.runner.fill();
        return database.query('select count(waits_for)::int as waiting from batch_line');
      })
      .toEqual([{ waiting: 2 }]);
    expect(gateway.of('prepare')).toHaveLength(3);
    go();
    await work(worker, async () => (await states()).every((state) => state === 'succeeded'));
    expect(upstream.batches.made).toHaveLength(2);
    expect(gateway.of('settle')).toHaveLength(3);
  });

  it('is not waited for by lines whose day is nearly over', async () => {
    upstream.batches.behave({ wait: () => new Promise(() => undefined) });
    await create('batch_m', 1);
    const worker = openWorker('one');
    await work(worker, isRunning);
    await create('batch_n', 2);
    const fillUntil = (count: number) =>
      expect
        .poll(
          async () => (
            await worker.runner.fill(),
            (await states()).filter((one) => one === 'succeeded').length
          ),
        )
        .toBe(count);
    await expect.poll(async () => (await worker.runner.fill(), gateway.of('prepare').length)).toBe(3);
    await database.query(`update batch set expires_at = now() + interval '5 hours' where id = 'batch_n'`);
    await fillUntil(2);
    expect(gateway.calls).toHaveLength(2);
  });

  it('a line whose worker was lost while it was offered is released before it is offered anew', async () => {
    await create('batch_l', 1);
    const lost = openWorker('lost');
    const batch = (await lost.context.work.findRunnable())[0];
    if (!batch) throw new Error('nothing is to be run');
    await lost.context.work.claimLines(batch, 1);
    const before = newId();
    await lost.context.native.upstream.noteRequest({ batchId: 'batch_l', line: 1 }, before);
    await database.query(`update batch_line set claimed_until = now() - interval '1 second'`);
    const second = openWorker('second');
    await work(second, areParked);
    expect(gateway.of('release').map(({ requestId }) => requestId)).toEqual([before]);
    expect(gateway.of('prepare')).toHaveLength(1);
    expect(gateway.of('prepare')[0]?.requestId).not.toBe(before);
  });
});
