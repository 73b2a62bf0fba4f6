import { newId, NO_USAGE, type TaskEnd, type TaskEndState } from '@mg/contract';
import { buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { JournalLedger } from '../money/post-journal.js';
import { WalletLedger } from '../money/wallet-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { repeatOverdue } from '../testing/repeat-overdue.js';
import { TaskLedger } from './task-ledger.js';

const UNIT = 100_000_000n;
/** Five seconds cost a unit. */
const PER_SECOND = { per_second: '0.02' };

let test: TestDatabase;
let database: DataSource;
let wallets: WalletLedger;
let ledger: TaskLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  wallets = new WalletLedger(database);
  ledger = new TaskLedger(database);
});

afterAll(() => test.stop());

interface Figures {
  readonly balance: bigint;
  readonly held: bigint;
  readonly used: bigint;
}

/** What the wallet and the token say, in whole units where it fits. */
async function readFigures(payer: Payer): Promise<Figures> {
  const [row] = await database.query(
    `select w.balance, w.held, t.used, t.held as token_held from wallet w join token t on t.wallet_id = w.id where w.id = $1`,
    [payer.walletId],
  );
  expect(row.token_held).toBe(row.held);
  return { balance: BigInt(row.balance), held: BigInt(row.held), used: BigInt(row.used) };
}

/** The wallet's legs that name the task. */
async function readEntries(taskId: string): Promise<string[]> {
  const rows: { kind: string; amount: string }[] = await database.query(
    `select kind, amount from entry where task_id = $1 and wallet_id is not null order by id`,
    [taskId],
  );
  return rows.map((row) => `${row.kind} ${row.amount}`);
}

async function readHistory(taskId: string): Promise<string[]> {
  const rows: { state: string }[] = await database.query(
    `select state from task_event where task_id = $1 order by id`,
    [taskId],
  );
  return rows.map((row) => row.state);
}

const endOf = (taskId: string, state: TaskEndState, more: Partial<TaskEnd> = {}): TaskEnd => ({
  taskId,
  state,
  note: 'test',
  ...more,
});

async function openOne(payer: Payer, callbackUrl?: string): Promise<string> {
  const request = buildTaskRequest(payer, { task: { callbackUrl } });
  expect(await ledger.openTask(request)).toEqual({ granted: UNIT });
  return request.task.id;
}

describe('opening a task', () => {
  it('holds its cost and writes it, once however often the same id asks', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const request = buildTaskRequest(payer);
    const decisions = await Promise.all(Array.from({ length: 20 }, () => ledger.openTask(request)));
    expect(decisions).toEqual(decisions.map(() => ({ granted: UNIT })));
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: UNIT, used: 0n });
    expect(await readHistory(request.task.id)).toEqual(['created']);
  });

  it.each([
    ['the wallet', { balance: 10n * UNIT }, 'insufficient_balance'],
    ['the token quota', { balance: 900n * UNIT, quota: 10n * UNIT }, 'quota_exceeded'],
  ] as const)('admits exactly what %s covers, 50 at once', async (_name, options, refusal) => {
    const payer = await seedPayer(database, options);
    const requests = Array.from({ length: 50 }, () => buildTaskRequest(payer));
    const decisions = await Promise.all(requests.map((one) => repeatOverdue(() => ledger.openTask(one))));
    expect(decisions.filter((decision) => 'granted' in decision)).toHaveLength(10);
    expect(
      decisions.filter((decision) => 'refused' in decision && decision.refused === refusal),
    ).toHaveLength(40);
    const [row] = await database.query('select count(*) as count from task where wallet_id = $1', [
      payer.walletId,
    ]);
    expect(row.count).toBe('10');
  });

  it('neither holds nor writes when the task itself cannot be written', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const first = buildTaskRequest(payer);
    await ledger.openTask(first);
    const second = buildTaskRequest(payer, { task: { publicId: first.task.publicId } });
    await expect(ledger.openTask(second)).rejects.toThrow(/task_public_id_key/);
    expect((await readFigures(payer)).held).toBe(UNIT);
  });

  it('refuses a task whose order was never stored, and clears away orders whose task was never written', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    await expect(
      ledger.openTask(buildTaskRequest(payer, { task: { order: Buffer.alloc(0) } })),
    ).rejects.toThrow(/has no order/);
    expect((await readFigures(payer)).held).toBe(0n);
    const [stale, fresh] = [newId(), newId()];
    await database.query(
      `insert into task_order (task_id, order_text, created_at)
       values ($1, 'x', now() - interval '61 minutes'), ($2, 'x', now())`,
      [stale, fresh],
    );
    await ledger.sweepTasks({ graceSeconds: 600, limit: 100 });
    const left = await database.query('select task_id from task_order where task_id = any ($1)', [
      [stale, fresh],
    ]);
    expect(left).toEqual([{ task_id: fresh }]);
  });

  it('refuses a call that was given up before its question arrived, and an id of another payer', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const other = await seedPayer(database, { balance: 10n * UNIT });
    const request = buildTaskRequest(payer);
    await database.query(
      `insert into usage_journal (request_id, seq, phase, usage) values ($1, 0, 'cancel', '{}')`,
      [request.task.id],
    );
    expect(await ledger.openTask(request)).toMatchObject({ failed: 'conflict' });
    const taken = await openOne(payer);
    expect(await ledger.openTask(buildTaskRequest(other, { hold: { id: taken } }))).toMatchObject({
      failed: 'conflict',
    });
    expect((await readFigures(other)).held).toBe(0n);
  });

  it('answers what it was when it is asked again after the end, and holds nothing again', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const request = buildTaskRequest(payer);
    await ledger.openTask(request);
    await ledger.endTask(endOf(request.task.id, 'failed'));
    const successor = { ...request, hold: { ...request.hold, owner: { instance: 'gateway-2', epoch: 'x' } } };
    expect(await ledger.openTask(successor)).toEqual({ granted: UNIT });
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: 0n, used: 0n });
  });
});

describe('charging a task', () => {
  it('happens once and names the task', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    const charges = await Promise.all(Array.from({ length: 20 }, () => ledger.chargeTask(id)));
    expect(new Set(charges)).toEqual(new Set([UNIT]));
    expect(await readFigures(payer)).toEqual({ balance: 9n * UNIT, held: 0n, used: UNIT });
    expect(await readEntries(id)).toEqual([`charge ${-UNIT}`]);
  });

  it('leaves a task that has ended as it is', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    await ledger.endTask(endOf(id, 'cancelled'));
    expect(await ledger.chargeTask(id)).toBe(0n);
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: 0n, used: 0n });
    await expect(ledger.chargeTask(newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('ending a task', () => {
  it.each([true, false])('as a success charges it, charged before: %s', async (charged) => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    if (charged) await ledger.chargeTask(id);
    const end = endOf(id, 'succeeded', { result: { url: 'https://example.com/v.mp4' } });
    expect(await ledger.endTask(end)).toEqual({ state: 'succeeded', charged: UNIT, ended: true });
    expect(await ledger.endTask(end)).toEqual({ state: 'succeeded', charged: UNIT, ended: false });
    expect(await readFigures(payer)).toEqual({ balance: 9n * UNIT, held: 0n, used: UNIT });
    expect(await readEntries(id)).toEqual([`charge ${-UNIT}`]);
  });

  it.each([
    [3, 60_000_000n],
    [2.2, 60_000_000n],
    [0, UNIT],
    [0.2, 20_000_000n],
    [5, UNIT],
    [7, UNIT],
  ])('corrects the charge to the %s seconds that were made, and never upwards', async (made, cost) => {
    const payer = await seedPayer(database, { balance: 10n * UNIT, price: PER_SECOND });
    const id = await openOne(payer);
    await ledger.chargeTask(id);
    expect(await ledger.endTask(endOf(id, 'succeeded', { actualSeconds: made }))).toMatchObject({
      charged: cost,
    });
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT - cost, held: 0n, used: cost });
    expect(await readEntries(id)).toEqual([
      `charge ${-UNIT}`,
      ...(cost < UNIT ? [`true_up ${UNIT - cost}`] : []),
    ]);
  });

  it('corrects by the rates of the variant that was ordered, and notes what was made for the log', async () => {
    const price = { per_second: '0.01', variants: { '1080p': { per_second: '0.02' } } };
    const payer = await seedPayer(database, { balance: 10n * UNIT, price });
    const request = buildTaskRequest(payer, { task: { priceVariant: '1080p' } });
    const { id } = request.task;
    await ledger.openTask(request);
    await ledger.chargeTask(id);
    expect(await ledger.endTask(endOf(id, 'succeeded', { actualSeconds: 4 }))).toMatchObject({
      charged: 80_000_000n,
    });
    const [hold] = await database.query('select charged, usage from hold where id = $1', [id]);
    expect(hold).toEqual({ charged: '80000000', usage: { seconds: 4, variant: '1080p' } });
  });

  it.each(['failed', 'expired', 'cancelled'] as const)(
    'as %s releases what is held and refunds what was charged, once',
    async (state) => {
      const payer = await seedPayer(database, { balance: 10n * UNIT });
      const [held, charged] = [await openOne(payer), await openOne(payer)];
      await ledger.chargeTask(charged);
      const ends = [held, charged, held, charged, charged].map((id) => ledger.endTask(endOf(id, state)));
      const outcomes = await Promise.all(ends);
      expect(outcomes.filter((outcome) => outcome.ended)).toHaveLength(2);
      expect(outcomes.every((outcome) => outcome.state === state && outcome.charged === 0n)).toBe(true);
      expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: 0n, used: 0n });
      expect(await readEntries(held)).toEqual([]);
      expect(await readEntries(charged)).toEqual([`charge ${-UNIT}`, `refund ${UNIT}`]);
      expect(await readHistory(charged)).toEqual(['created', state]);
    },
  );

  it('counts the first of two different results, however close they are', async () => {
    const payer = await seedPayer(database, { balance: 100n * UNIT });
    const ids = await Promise.all(Array.from({ length: 20 }, () => openOne(payer)));
    await Promise.all(ids.map((id) => ledger.chargeTask(id)));
    const outcomes = await Promise.all(
      ids.map((id) =>
        Promise.all([
          ledger.endTask(endOf(id, 'cancelled')),
          ledger.endTask(endOf(id, 'succeeded')),
          ledger.endTask(endOf(id, 'failed')),
        ]),
      ),
    );
    let cost = 0n;
    for (const results of outcomes) {
      expect(new Set(results.map((result) => result.state)).size).toBe(1);
      expect(results.filter((result) => result.ended)).toHaveLength(1);
      cost += results[0].charged;
    }
    expect(await readFigures(payer)).toEqual({ balance: 100n * UNIT - cost, held: 0n, used: cost });
  });

  it('does nothing out of another state than it asks for', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    await database.query(`update task set state = 'submitting' where id = $1`, [id]);
    expect(await ledger.endTask(endOf(id, 'cancelled', { from: ['created'] }))).toEqual({
      state: 'submitting',
      charged: 0n,
      ended: false,
    });
    expect((await readFigures(payer)).held).toBe(UNIT);
    expect(await ledger.endTask(endOf(id, 'failed', { from: ['submitting'] }))).toMatchObject({
      ended: true,
    });
    await expect(ledger.endTask(endOf(newId(), 'failed'))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('settles though the wallet has gone below zero', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    const [id, { walletId }] = [await openOne(payer), payer];
    await wallets.limitCredit(walletId, 5n * UNIT);
    await wallets.topUp({ walletId, amount: -5n * UNIT, note: '', idempotencyKey: 'k' });
    expect(await ledger.endTask(endOf(id, 'succeeded'))).toMatchObject({ charged: UNIT });
    expect((await readFigures(payer)).balance).toBe(-5n * UNIT);
  });

  it('calls back once, where the owner asked for it', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const [quiet, called] = [await openOne(payer), await openOne(payer, 'https://example.com/hook')];
    for (const id of [quiet, called, called]) await ledger.endTask(endOf(id, 'succeeded'));
    const rows = await database.query(
      'select task_id, url, event from webhook_delivery where task_id = any ($1)',
      [[quiet, called]],
    );
    expect(rows).toEqual([{ task_id: called, url: 'https://example.com/hook', event: 'task.succeeded' }]);
  });

  it('takes the line of the request log along', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    await database.query(
      `insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, status,
         stream, latency_ms, usage, cost, estimated, reason, attempts)
       values ($1, now(), $2, $3, 'test', $4, 'm', '/v1/video/generations', 200, false, 1, '{}', $5, false, 'completed', '[]')`,
      [id, payer.userId, payer.tokenId, payer.walletId, UNIT.toString()],
    );
    await ledger.chargeTask(id);
    await ledger.endTask(endOf(id, 'failed'));
    const [row] = await database.query('select cost, reason from request_log where request_id = $1', [id]);
    expect(row).toEqual({ cost: '0', reason: 'task_failed' });
  });
});

describe('what happens beside', () => {
  it('leaves open holds of tasks to their tasks: the sweep of calls passes them by', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer);
    await database.query(`update hold set expires_at = now() - interval '1 day' where id = $1`, [id]);
    expect(await wallets.sweep(100)).toEqual([]);
    expect((await readFigures(payer)).held).toBe(UNIT);
  });

  it('cancels a task whose caller gave up before it was charged', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const id = await openOne(payer, 'https://example.com/hook');
    await writeJournal(database, [
      { requestId: id, seq: 0, phase: 'cancel', usage: NO_USAGE, estimated: false },
    ]);
    await new JournalLedger(database).postWaiting({ limit: 100, wait: true });
    expect(await ledger.endTask(endOf(id, 'succeeded'))).toEqual({
      state: 'cancelled',
      charged: 0n,
      ended: false,
    });
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: 0n, used: 0n });
  });

  it('keeps a refund by the operator when the task succeeds afterwards', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT, price: PER_SECOND });
    const id = await openOne(payer);
    await ledger.chargeTask(id);
    expect(await wallets.refund(id, 'as a courtesy')).toBe(UNIT);
    expect(await ledger.endTask(endOf(id, 'succeeded', { actualSeconds: 3 }))).toMatchObject({ charged: 0n });
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: 0n, used: 0n });
  });

  it('ends tasks that are far past their deadline, and only those', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const [late, lateAndCharged, lately] = [await openOne(payer), await openOne(payer), await openOne(payer)];
    await ledger.chargeTask(lateAndCharged);
    await database.query(
      `update task set deadline_at = now() - interval '11 minutes', state = 'submit_unknown' where id = any ($1)`,
      [[late, lateAndCharged]],
    );
    await database.query(`update task set deadline_at = now() - interval '9 minutes' where id = $1`, [
      lately,
    ]);
    expect((await ledger.sweepTasks({ graceSeconds: 600, limit: 100 })).toSorted()).toEqual(
      [late, lateAndCharged].toSorted(),
    );
    expect(await readFigures(payer)).toEqual({ balance: 10n * UNIT, held: UNIT, used: 0n });
    const [task] = await database.query('select state, error from task where id = $1', [late]);
    expect(task).toMatchObject({ state: 'expired', error: { code: 'expired' } });
  });
});

it.each([
  ['an end without its money', `update task set state = 'failed', charged = 0`, ['task.hold failed/open']],
  ['a success that was never charged', `update task set state = 'succeeded'`, ['task.hold succeeded/open']],
  ['a charge without its entry', `update task set charged = 7`, ['task.charged']],
  [
    'a task that goes on unpaid',
    `update hold set state = 'voided'`,
    ['task.hold running/voided', 'token.held', 'wallet.held'],
  ],
])('shouts about %s', async (_name, tamper, faults) => {
  const payer = await seedPayer(database, { balance: 10n * UNIT });
  const id = await openOne(payer);
  const drift = await database
    .transaction(async (manager) => {
      await manager.query(`update task set state = 'running' where id = $1`, [id]);
      await manager.query(`alter table hold disable trigger hold_released_ends_task`);
      await manager.query(`${tamper} where id = $1`, [id]);
      const rows: { what: string }[] = await manager.query('select what from money_drift()');
      throw new Tampered(rows.map((row) => row.what).toSorted());
    })
    .catch((error: unknown) => (error instanceof Tampered ? error.faults : error));
  expect(drift).toEqual(faults);
});

/** Takes back what was tampered with, and carries what was seen. */
class Tampered extends Error {
  constructor(readonly faults: readonly string[]) {
    super('tampered');
  }
}

it('has left the ledger balanced', async () => expect(await wallets.findDrift()).toEqual([]));
