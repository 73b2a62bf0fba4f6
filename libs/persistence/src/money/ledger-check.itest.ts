import { newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { TaskLedger } from '../tasks/task-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { LedgerCheck } from './ledger-check.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

const DAY = 86_400;
const BALANCE = 100_000_000_000n;

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let books: LedgerCheck;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(4);
  ({ database } = test);
  ledger = new WalletLedger(database);
  books = new LedgerCheck(database);
});

afterAll(() => test.stop());

beforeEach(async () => {
  payer = await seedPayer(database, { balance: BALANCE });
});

async function charge(): Promise<string> {
  const request = buildHoldRequest(payer);
  await ledger.openHolds([request]);
  await writeJournal(database, [
    { requestId: request.id, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
  ]);
  await new JournalLedger(database).postWaiting({ limit: 10, wait: true });
  return request.id;
}

async function readAll(roundEverySeconds = DAY, slice: { entries?: number; tasks?: number } = {}) {
  while (await books.step({ roundEverySeconds, ...slice }));
}

const check = async () => (await books.find())?.rows.map(({ what, id }) => [what, id]);

/** As somebody who owns the tables and goes round the money functions. */
const tamper = (sql: string, values: unknown[]) =>
  database.transaction(async (manager) => {
    await manager.query(`set local session_replication_role = 'replica'`);
    await manager.query(sql, values);
  });

describe('F8: the check of the ledger', () => {
  it('F8: knows nothing before it has read everything once', async () => {
    expect(await books.find()).toBeUndefined();
    await readAll(DAY, { entries: 1, tasks: 1 });
    expect((await books.find())?.rows).toEqual([]);
  });

  it('F8: finds a balance that was changed, and that it was put right', async () => {
    await readAll();
    await tamper('update wallet set balance = balance + 1 where id = $1', [payer.walletId]);
    expect(await check()).toEqual([['wallet.balance', payer.walletId]]);
    await tamper('update wallet set balance = balance - 1 where id = $1', [payer.walletId]);
    expect(await check()).toEqual([]);
  });

  it('F8: finds what was spent of a quota and not booked', async () => {
    await readAll();
    await tamper('update token set used = used + 1 where id = $1', [payer.tokenId]);
    expect(await check()).toEqual([['token.used', payer.tokenId]]);
    await tamper('update token set used = used - 1 where id = $1', [payer.tokenId]);
  });

  it('F8: finds a hold whose sum is wrong, on wallet and token', async () => {
    await readAll();
    const request = buildHoldRequest(payer);
    await ledger.openHolds([request]);
    await tamper('update hold set amount = amount + 1 where id = $1', [request.id]);
    expect(await check()).toEqual([
      ['wallet.held', payer.walletId],
      ['token.held', payer.tokenId],
    ]);
    await tamper('update hold set amount = amount - 1 where id = $1', [request.id]);
    await ledger.voidHold(request.id);
  });

  it('F8: finds an entry that is missing: a new one at once, an old one in the next round', async () => {
    await readAll();
    const requestId = await charge();
    const remove = () => tamper('delete from entry where request_id = $1', [requestId]);
    await database.query('create table removed as select * from entry where request_id = $1', [requestId]);
    const restore = () =>
      tamper('insert into entry overriding system value select * from removed where $1::uuid is not null', [
        payer.walletId,
      ]);
    const wrong = [
      ['wallet.balance', payer.walletId],
      ['token.used', payer.tokenId],
    ];
    await remove();
    expect(await check()).toEqual(wrong);
    await restore();
    expect(await check()).toEqual([]);

    await readAll();
    await remove();
    expect(await check()).toEqual([]);
    await readAll(0, { entries: 2 });
    expect(await check()).toEqual(wrong);
    await restore();
    await readAll(0);
    expect(await check()).toEqual([]);
    await database.query('drop table removed');
  });

  it('F8: finds one leg without the other', async () => {
    await readAll();
    const txId = newId();
    await tamper(
      `insert into entry (tx_id, account, amount, request_id, kind) values ($1, 'system:revenue', 5, 'one leg', 'waste')`,
      [txId],
    );
    expect(await check()).toEqual([['entries', 'all accounts']]);
    await tamper('delete from entry where tx_id = $1', [txId]);
  });

  it('F8: finds a task that costs something else than its entries: an open one at once, an ended one in a round', async () => {
    const tasks = new TaskLedger(database);
    const { hold, task } = buildTaskRequest(payer, { task: { order: Buffer.from('a cat') } });
    await tasks.openTask({ hold, task });
    await tasks.chargeTask(task.id);
    await readAll();
    const change = (by: number) =>
      tamper('update task set charged = charged + $2 where id = $1', [task.id, by]);
    await change(1);
    expect(await check()).toEqual([['task.charged', task.id]]);
    await change(-1);

    await tasks.endTask({ taskId: task.id, state: 'succeeded', note: 'done' });
    await readAll();
    await change(1);
    await readAll(0);
    expect(await check()).toEqual([['task.charged', task.id]]);
    await change(-1);
    await readAll(0);
    expect(await check()).toEqual([]);
  });

  it('F8: leaves out no entry whose transaction ended after later ones', async () => {
    const late = await seedPayer(database, { balance: BALANCE });
    const slow = new Client({ connectionString: test.url });
    await slow.connect();
    await slow.query('begin');
    await slow.query(`select topup($1, 1000, 'late', 'late')`, [late.walletId]);
    await charge();
    await readAll(0);
    await readAll(0);
    await slow.query('commit');
    await slow.end();
    expect(await check()).toEqual([]);
    await readAll(0);
    expect(await check()).toEqual([]);
  });

  it('F8: reads the newest entries and no others once a round has ended', async () => {
    await readAll(0);
    const [state] = await database.query(
      'select c.entry_id = max(e.id) as complete from ledger_check c, entry e group by c.entry_id',
    );
    expect(state.complete).toBe(true);
    const [explained] = await database.query(
      'explain (format json) select 1 from entry e where e.id > (select max(id) from entry)',
    );
    expect(JSON.stringify(explained)).toContain('entry_pkey');
  });

  it('F8: is done by one plane at a time', async () => {
    const other = new Client({ connectionString: test.url });
    await other.connect();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(7204005)');
    expect(await books.step({ roundEverySeconds: 0 })).toBe(false);
    await other.query('rollback');
    await other.end();
  });

  it('F8: leaves the ledger balanced', async () => {
    expect(await ledger.findDrift()).toEqual([]);
  });
});
