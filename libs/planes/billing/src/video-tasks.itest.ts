import { randomUUID } from 'node:crypto';
import {
  type HoldOutcome,
  newId,
  NO_USAGE,
  readEnvironment,
  TASK_ENDS,
  type TaskEnd,
  type TaskEndOutcome,
  type TaskMoneyPort,
} from '@mg/contract';
import { openDatabase, WalletLedger } from '@mg/persistence/billing';
import { storeOrders, writeJournal } from '@mg/persistence/gateway';
import { createLogger, type RunningPlane } from '@mg/runtime';
import {
  buildHoldRequest,
  buildTaskRequest,
  type TcpProxy,
  createTcpProxy,
  type Payer,
  seedPayer,
  startTestServices,
  type TestServices,
} from '@mg/testkit';
import { type BillingClient, createBillingClient, type RedisScope } from '@mg/transport';
import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startBillingPlane } from './start-billing-plane.js';
import { askInCrowd } from './testing/ask-in-crowd.js';
import { openRedisScope } from './testing/open-redis-scope.js';

const UNIT = 100_000_000n;
const WITHIN = { timeout: 30_000, interval: 20 };

let services: TestServices;
let database: DataSource;
let ledger: WalletLedger;
let toRedis: TcpProxy;
let toPostgres: TcpProxy;
let planes: RunningPlane[];
let clients: BillingClient[];
let scope: RedisScope;

beforeAll(async () => {
  services = await startTestServices();
  toRedis = await createTcpProxy(services.redisUrl);
  toPostgres = await createTcpProxy(services.databaseUrl);
  planes = [await startPlane(), await startPlane()];
  database = await openDatabase({ url: services.databaseUrl, poolSize: 4, applicationName: 'tasks-test' });
  scope = await openRedisScope(database, toRedis.url);
  clients = [1, 2, 3].map(() => createBillingClient({ redis: scope }));
  ledger = new WalletLedger(database);
  await Promise.all(clients.map((client) => client.ping()));
});

afterAll(async () => {
  for (const client of clients) await client.close();
  for (const plane of planes) await plane.close();
  await toRedis.close();
  await toPostgres.close();
  await database.destroy();
  await services.stop();
});

function startPlane(): Promise<RunningPlane> {
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    BILLING_PORT: '0',
    DATABASE_URL: toPostgres.url,
    REDIS_URL: toRedis.url,
    METRICS_ENABLED: 'true',
  });
  return startBillingPlane({ environment, logger: createLogger({ plane: 'test', level: 'silent' }) });
}

const anyClient = (index = 0): BillingClient => clients[index % clients.length] as BillingClient;

/** Billing as a gateway knows it. */
const anyGateway = (index = 0): TaskMoneyPort => storeOrders(anyClient(index), database);

const isGranted = (outcome: HoldOutcome) => 'granted' in outcome;

/** One at most: a question whose answer took too long is asked again, and by then the task has ended. */
const countEnded = (outcomes: readonly TaskEndOutcome[]) => outcomes.filter(({ ended }) => ended).length;

/** How often the history says that a task has ended. */
async function countEnds(taskIds: readonly string[]): Promise<number[]> {
  const rows = await database.query<{ count: number }[]>(
    `select (select count(*)::int from task_event e where e.task_id = t.id and e.state = t.state) as count
       from task t where t.id = any ($1) and is_task_end(t.state)`,
    [taskIds],
  );
  return rows.map(({ count }) => count);
}

async function readWallet(payer: Payer): Promise<{ balance: string; held: string }> {
  const [wallet] = await database.query('select balance, held from wallet where id = $1', [payer.walletId]);
  return wallet;
}

async function openOne(payer: Payer): Promise<string> {
  const request = buildTaskRequest(payer);
  expect(await askInCrowd(() => anyGateway().openTask(request))).toEqual({ granted: UNIT });
  return request.task.id;
}

async function readMetric(name: string, label = ''): Promise<number> {
  let sum = 0;
  for (const plane of planes) {
    const text = await (await fetch(`${plane.address}/metrics`)).text();
    for (const line of text.split('\n')) {
      if (line.startsWith(`${name}{`) && line.includes(label)) sum += Number(line.split(' ').at(-1));
    }
  }
  return sum;
}

/** Asks again and again, as a worker does, until billing answers. */
async function retry<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return vi.waitFor(ask, WITHIN);
}

describe('video tasks through the transport', () => {
  it('begin exactly as far as the wallet goes: 50 at once, three clients, two planes', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const requests = Array.from({ length: 50 }, () => buildTaskRequest(payer));
    const outcomes = await Promise.all(
      requests.map((request, index) => askInCrowd(() => anyGateway(index).openTask(request))),
    );
    expect(outcomes.filter(isGranted)).toHaveLength(10);
    expect(outcomes.filter((outcome) => 'refused' in outcome)).toHaveLength(40);
    const [row] = await database.query('select count(*)::int as count from task where user_id = $1', [
      payer.userId,
    ]);
    expect(row.count).toBe(10);
  });

  it('begin as soon as calls before them have left enough', async () => {
    const payer = await seedPayer(database, { balance: 2n * UNIT });
    const call = buildHoldRequest(payer, { wanted: 2n * UNIT, minimum: 2n * UNIT });
    await anyClient().openHold(call);
    await writeJournal(database, [
      { requestId: call.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
    ]);
    expect(await anyGateway().openTask(buildTaskRequest(payer))).toEqual({ granted: UNIT });
    expect(await anyGateway().openTask(buildTaskRequest(payer))).toMatchObject({
      refused: 'insufficient_balance',
    });
  });

  it('are one task, one charge and one end, however often each is asked', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT, price: { per_second: '0.02' } });
    const request = buildTaskRequest(payer);
    const many = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all(many.map((index) => askInCrowd(() => anyGateway(index).openTask(request))));
    const charges = await Promise.all(
      many.map((index) => askInCrowd(() => anyClient(index).chargeTask(request.task.id))),
    );
    expect(new Set(charges)).toEqual(new Set([UNIT]));
    const end: TaskEnd = {
      taskId: request.task.id,
      state: 'succeeded',
      result: { url: 'https://example.com/v.mp4', native: { seed: 7, content: { video_url: 'x' } } },
      actualSeconds: 3,
      note: 'made',
    };
    const ends = await Promise.all(many.map((index) => askInCrowd(() => anyClient(index).endTask(end))));
    expect(countEnded(ends)).toBeLessThanOrEqual(1);
    expect(await countEnds([request.task.id])).toEqual([1]);
    expect(new Set(ends.map((outcome) => `${outcome.state} ${outcome.charged}`))).toEqual(
      new Set([`succeeded ${60_000_000n}`]),
    );
    expect(await readWallet(payer)).toEqual({ balance: '940000000', held: '0' });
    const [task] = await database.query('select result from task where id = $1', [request.task.id]);
    expect(task.result).toEqual(end.result);
  });

  it('carry orders with whole images in them, and leave none behind that was refused', async () => {
    const payer = await seedPayer(database, { balance: 2n * UNIT });
    const order = JSON.stringify({
      prompt: 'a cat',
      image: `data:image/png;base64,${'A'.repeat(15_000_000)}`,
    });
    const hops = '0123456789abcdef';
    const requests = [1, 2, 3].map(() =>
      buildTaskRequest(payer, { task: { order: Buffer.from(order), hops } }),
    );
    const outcomes = await Promise.all(
      requests.map((request) => askInCrowd(() => anyGateway().openTask(request))),
    );
    expect(outcomes.filter(isGranted)).toHaveLength(2);
    const rows = await database.query(
      `select length(order_text) as length, hops from task_order where task_id = any ($1)`,
      [requests.map((request) => request.task.id)],
    );
    const stored = { length: order.length, hops };
    expect(rows).toEqual([stored, stored]);
  });

  it('leave no order behind when billing cannot be asked, and are not written late without one', async () => {
    const payer = await seedPayer(database, { balance: 2n * UNIT });
    const request = buildTaskRequest(payer, { task: { deadlineSeconds: 0 } });
    await expect(anyGateway().openTask(request)).rejects.toMatchObject({ code: 'invalid_request' });
    const kept = await database.query('select 1 from task_order where task_id = $1', [request.task.id]);
    expect(kept).toEqual([]);
    const late = { hold: request.hold, task: { ...request.task, deadlineSeconds: 60 } };
    await expect(anyClient().openTask(late)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await readWallet(payer)).toMatchObject({ held: '0' });
  });

  it('end once when two planes hear different results at once', async () => {
    const payer = await seedPayer(database, { balance: 100n * UNIT });
    const ids = await Promise.all(Array.from({ length: 20 }, () => openOne(payer)));
    const outcomes = await Promise.all(
      ids.map(async (taskId, index) => {
        await askInCrowd(() => anyClient(index).chargeTask(taskId));
        return Promise.all(
          TASK_ENDS.map((state, client) =>
            askInCrowd(() => anyClient(client).endTask({ taskId, state, note: '' })),
          ),
        );
      }),
    );
    let cost = 0n;
    for (const results of outcomes) {
      expect(countEnded(results)).toBeLessThanOrEqual(1);
      expect(new Set(results.map(({ state, charged }) => `${state} ${charged}`)).size).toBe(1);
      cost += results[0]?.charged ?? 0n;
    }
    expect(await countEnds(ids)).toEqual(ids.map(() => 1));
    expect(await readWallet(payer)).toEqual({ balance: (100n * UNIT - cost).toString(), held: '0' });
  });

  it('take no harm from messages that come twice, late and in other packets', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const taskId = await openOne(payer);
    await anyClient().chargeTask(taskId);
    const message = (state: string) => ({
      task_id: taskId,
      state,
      from: null,
      error: null,
      result: null,
      actual_seconds: null,
      note: '',
    });
    await anyClient().endTask({ taskId, state: 'failed', note: '' });
    const [redis, replies] = [new Redis(services.redisUrl), new Redis(services.redisUrl)];
    const answered = new Set<string>();
    replies.on('message', (channel, message) =>
      answered.add(JSON.parse(scope.open(channel, message) ?? '').id),
    );
    const [sender, lateSender] = [randomUUID(), randomUUID()];
    await replies.subscribe(...[sender, lateSender].map((id) => scope.name(`billing.reply.${id}`)));
    const send = (pattern: string, data: unknown, id: string) => {
      const channel = scope.name(pattern);
      return redis.publish(channel, scope.sign(channel, JSON.stringify({ id, pattern, data })));
    };
    for (const number of [1, 2, 3]) {
      await send('billing.task_end', message('failed'), `${sender}:${number}`);
      await send('billing.task_end', message('failed'), `${sender}:${number}`);
      await send('billing.task_end', message('succeeded'), `${lateSender}:${number}`);
      await send('billing.task_charge', { task_id: taskId }, `${sender}:${number}0`);
    }
    await vi.waitFor(() => expect(answered.size).toBe(9), WITHIN);
    await Promise.all([redis.quit(), replies.quit()]);
    expect(await anyClient().endTask({ taskId, state: 'succeeded', note: '' })).toEqual({
      state: 'failed',
      charged: 0n,
      ended: false,
    });
    const [row] = await database.query(
      `select count(*)::int as count from entry where task_id = $1 and kind = 'refund' and wallet_id is not null`,
      [taskId],
    );
    expect(row.count).toBe(1);
  });

  it('are answered wrong messages with a sentence that names the field', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const client = anyClient();
    const gateway = anyGateway();
    const taskId = newId();
    for (const [ask, field] of [
      [() => gateway.openTask(buildTaskRequest(payer, { task: { seconds: -1 } })), 'task.seconds'],
      [
        () => gateway.openTask(buildTaskRequest(payer, { task: { callbackUrl: 'nowhere' } })),
        'task.callback_url',
      ],
      [
        () => gateway.openTask(buildTaskRequest(payer, { task: { deadlineSeconds: 0 } })),
        'task.deadline_seconds',
      ],
      [() => client.chargeTask('none'), 'task_id'],
      [() => client.endTask({ taskId, state: 'running' as 'failed', note: '' }), 'state'],
      [() => client.endTask({ taskId, state: 'succeeded', actualSeconds: -1, note: '' }), 'actual_seconds'],
    ] as const) {
      await expect(ask()).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining(field),
      });
    }
    await expect(anyClient().chargeTask(newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('video tasks while things break', () => {
  it('keep the ledger balanced when Redis and Postgres are cut again and again in the middle of it', async () => {
    const payer = await seedPayer(database, { balance: 1_000n * UNIT });
    const done = new AbortController();
    const cutter = (async () => {
      while (!done.signal.aborted) {
        await toRedis.cut();
        await toRedis.mend();
        await retry(() => anyClient().ping());
        await toPostgres.cut();
        await toPostgres.mend();
        await retry(() => anyClient().ping());
      }
    })();
    const states = ['succeeded', 'failed', 'expired'] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const request = buildTaskRequest(payer);
        const taskId = request.task.id;
        await retry(() => anyGateway(index).openTask(request));
        await retry(() => anyClient(index).chargeTask(taskId));
        const state = states[index % states.length] ?? 'failed';
        return retry(() => anyClient(index + 1).endTask({ taskId, state, note: '' }));
      }),
    );
    done.abort();
    await cutter;
    expect(outcomes.filter((outcome) => outcome.state === 'succeeded')).toHaveLength(8);
    expect(await readWallet(payer)).toEqual({ balance: (992n * UNIT).toString(), held: '0' });
    const [row] = await database.query(
      `select count(*)::int as count from entry e join task t on t.id = e.task_id
        where t.user_id = $1 and e.kind = 'refund' and e.wallet_id is not null`,
      [payer.userId],
    );
    expect(row.count).toBe(16);
  });

  it('are ended as expired and refunded when their worker is gone for good', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const taskId = await openOne(payer);
    await anyClient().chargeTask(taskId);
    await database.query(
      `update task set state = 'running', deadline_at = now() - interval '20 minutes' where id = $1`,
      [taskId],
    );
    await vi.waitFor(async () => {
      const [task] = await database.query('select state, charged from task where id = $1', [taskId]);
      expect(task).toEqual({ state: 'expired', charged: '0' });
    }, WITHIN);
    expect((await readWallet(payer)).balance).toBe((10n * UNIT).toString());
  });

  it('are shown on /metrics and leave the ledger balanced', async () => {
    expect(await readMetric('billing_video_tasks_ended_total')).toBeGreaterThanOrEqual(22);
    expect(await readMetric('billing_open_holds', 'kind="video"')).toBeGreaterThan(0);
    expect(await readMetric('billing_open_holds_usd', 'kind="video"')).toBeGreaterThan(0);
    expect(await ledger.findDrift()).toEqual([]);
  });
});
