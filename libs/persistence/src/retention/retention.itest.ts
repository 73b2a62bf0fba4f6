import { newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdempotentReplies } from '../idempotency/idempotent-replies.js';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { JournalLedger } from '../money/post-journal.js';
import { WalletLedger } from '../money/wallet-ledger.js';
import { deriveSecretKey } from '../secrets/seal-secret.js';
import { TaskLedger } from '../tasks/task-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { type ExpiringRows, FIRST_BATCH, Retention } from './retention.js';

const DAY_MS = 86_400_000;

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let retention: Retention;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(4);
  ({ database } = test);
  ledger = new WalletLedger(database);
  retention = new Retention(database);
  payer = await seedPayer(database, { balance: 100_000_000_000n });
});

afterAll(() => test.stop());

/** An id as it was given so many days ago. */
function idOf(daysAgo: number): string {
  const at = (Date.now() - daysAgo * DAY_MS).toString(16).padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}${newId().slice(13)}`;
}

async function openHold(id: string): Promise<string> {
  await ledger.openHolds([{ ...buildHoldRequest(payer), id }]);
  return id;
}

const writeUsage = (requestId: string) =>
  writeJournal(database, [{ requestId, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false }]);
const post = () => new JournalLedger(database).postWaiting({ limit: 100, wait: true });

/** A call with everything that it leaves behind. */
async function makeCall(daysAgo: number): Promise<string> {
  const id = await openHold(idOf(daysAgo));
  await writeUsage(id);
  await writeRequestLog(database, [
    {
      requestId: id,
      createdAt: new Date(Date.now() - daysAgo * DAY_MS),
      userId: payer.userId,
      tokenId: payer.tokenId,
      tokenName: 'test',
      walletId: payer.walletId,
      model: payer.model,
      endpoint: '/v1/chat/completions',
      channel: 'one',
      status: 200,
      errorCode: undefined,
      stream: false,
      latencyMs: 5,
      ttftMs: undefined,
      usage: NO_USAGE,
      cost: 0n,
      estimated: false,
      reason: 'completed',
      attempts: [],
      priceVersionId: payer.priceVersionId,
    },
  ]);
  await post();
  return id;
}

async function expire(kind: ExpiringRows, days: number, limit = 2): Promise<number> {
  let total = 0;
  for (let after: string | undefined = FIRST_BATCH; after !== undefined;) {
    const { deleted, next } = await retention.expire(kind, { days, after, limit });
    total += deleted;
    after = next;
  }
  return total;
}

type RowsOfCalls = 'logs' | 'journal' | 'holds';

async function isThere(kind: RowsOfCalls, id: string): Promise<boolean> {
  const sql = {
    logs: 'select 1 from request_log where request_id = $1',
    journal: 'select 1 from usage_journal where request_id = $1',
    holds: 'select 1 from hold where id = $1',
  };
  return (await database.query<unknown[]>(sql[kind], [id])).length > 0;
}

describe('F8: retention', () => {
  it.each(['logs', 'journal', 'holds'] as const)(
    'F8: deletes %s that are older than they are kept',
    async (kind) => {
      await expire(kind, 1);
      const old = await Promise.all([90, 89, 88].map(makeCall));
      const young = await makeCall(70);
      expect(await expire(kind, 80)).toBe(3);
      for (const id of old) expect(await isThere(kind, id)).toBe(false);
      expect(await isThere(kind, young)).toBe(true);
      expect(await expire(kind, 80)).toBe(0);
      expect(await expire(kind, 60)).toBe(1);
    },
  );

  it('F8: keeps what money still waits for: open holds, usage that is not charged or was refused', async () => {
    const open = await openHold(idOf(50));
    const refused = await makeCall(50);
    const waiting = idOf(50);
    await writeUsage(waiting);
    await database.query(`insert into refused_usage (request_id, failure) values ($1, 'a price')`, [refused]);
    await expire('holds', 30);
    await expire('journal', 30);
    expect(await isThere('holds', open)).toBe(true);
    expect(await isThere('journal', waiting)).toBe(true);
    expect(await isThere('journal', refused)).toBe(true);
    await ledger.voidHold(open);
    await database.query('delete from refused_usage');
    await post();
    await expire('journal', 30);
    expect(await isThere('journal', refused)).toBe(false);
  });

  it('F8: keeps the hold of a video for as long as its task', async () => {
    const { hold, task } = buildTaskRequest(payer, { task: { order: Buffer.from('a cat') } });
    const id = idOf(60);
    const tasks = new TaskLedger(database);
    await tasks.openTask({ hold: { ...hold, id }, task: { ...task, id } });
    await tasks.endTask({ taskId: id, state: 'failed', note: 'no' });
    await expire('holds', 30);
    expect(await isThere('holds', id)).toBe(true);
  });

  it('F8: keeps the last day whatever is set, and passes rows that somebody has locked', async () => {
    const today = await makeCall(0.5);
    const locked = await makeCall(45);
    const other = new Client({ connectionString: test.url });
    await other.connect();
    await other.query('begin');
    await other.query('select 1 from hold where id = $1 for update', [locked]);
    expect(await expire('holds', 0)).toBeGreaterThanOrEqual(0);
    expect(await isThere('holds', today)).toBe(true);
    expect(await isThere('holds', locked)).toBe(true);
    await other.query('rollback');
    await other.end();
    await expire('holds', 30);
    expect(await isThere('holds', locked)).toBe(false);
  });

  it('F8: deletes tasks that have ended with all that is theirs, and none that goes on or has somebody to call back', async () => {
    const tasks = new TaskLedger(database);
    const open = async (daysAgo: number, callbackUrl?: string) => {
      const { hold, task } = buildTaskRequest(payer, { task: { callbackUrl } });
      const id = idOf(daysAgo);
      await tasks.openTask({ hold: { ...hold, id }, task: { ...task, id } });
      return id;
    };
    const end = async (id: string, daysAgo: number) => {
      await tasks.endTask({ taskId: id, state: 'succeeded', note: 'made' });
      await database.query('update task set finished_at = now() - make_interval(days => $2) where id = $1', [
        id,
        daysAgo,
      ]);
    };
    const [ended, called, waiting, young, running] = [
      await open(60),
      await open(60, 'https://example.com/a'),
      await open(60, 'https://example.com/b'),
      await open(60),
      await open(60),
    ];
    for (const id of [ended, called, waiting]) await end(id, 59);
    await end(young, 5);
    await database.query('update webhook_delivery set next_attempt_at = null where task_id = $1', [called]);
    await expire('tasks', 30);
    const left = async (table: string, column: string) => {
      const rows = await database.query<{ id: string }[]>(
        `select distinct ${column} as id from ${table} where ${column} = any ($1::uuid[])`,
        [[ended, called, waiting, young, running]],
      );
      return rows.map(({ id }) => id).toSorted();
    };
    const stay = [waiting, young, running].toSorted();
    expect(await left('task', 'id')).toEqual(stay);
    expect(await left('hold', 'id')).toEqual(stay);
    expect(await left('task_event', 'task_id')).toEqual(stay);
    expect(await left('webhook_delivery', 'task_id')).toEqual([waiting]);
    expect(await left('entry', 'task_id')).toEqual([ended, called, waiting, young].toSorted());
  });

  it('F8: deletes waste one by one, and none of its entries', async () => {
    const book = async (daysAgo: number) => {
      const id = idOf(daysAgo);
      await database.query('select * from book_waste($1::jsonb)', [
        JSON.stringify([
          { request_id: id, attempt: 0, channel: 'a', model: 'm', reason: 'failed', amount: 5 },
        ]),
      ]);
      return id;
    };
    const [old, young] = [await book(60), await book(5)];
    expect(await expire('waste', 30)).toBe(1);
    expect(await database.query('select request_id from waste')).toEqual([{ request_id: young }]);
    const legs = await database.query('select 1 from entry where request_id = $1', [`${old}/0`]);
    expect(legs).toHaveLength(2);
  });

  it('F8: deletes old changes from the audit log, which nobody else can, and none of the last month', async () => {
    const note = (daysAgo: number) =>
      database.query(
        `insert into audit_log (id, created_at, actor_email, action, target_type, target_id, request_id, address)
         values ($1, now() - make_interval(days => $2), 'a', 'token.change', 'token', $3, $4, '')`,
        [idOf(daysAgo), daysAgo, String(daysAgo), newId()],
      );
    for (const daysAgo of [400, 60, 20]) await note(daysAgo);
    const left = async () => {
      const rows = await database.query<{ target: string }[]>(
        'select target_id as target from audit_log order by id',
      );
      return rows.map(({ target }) => target);
    };
    expect(await expire('audit', 365)).toBe(1);
    expect(await left()).toEqual(['60', '20']);
    expect(await expire('audit', 1)).toBe(1);
    expect(await left()).toEqual(['20']);
    await expect(database.query('delete from audit_log')).rejects.toThrow(/never changed/);
    await expect(database.query(`update audit_log set action = ''`)).rejects.toThrow(/never changed/);
  });

  it('F8: deletes sums of usage by the hour and by the day, whole days of each', async () => {
    const add = (grain: 'hour' | 'day', hoursAgo: number) =>
      database.query(
        `insert into usage_cell (grain, at, user_id, token_id, model, channel, calls, errors, input_tokens, output_tokens, cost)
         values ($1::text, date_trunc($1::text, now(), 'UTC') - make_interval(hours => $2), $3, $4, 'm', '', 1, 0, 0, 0, 0)`,
        [grain, hoursAgo, payer.userId, payer.tokenId],
      );
    await database.query('delete from usage_cell');
    for (let hour = 0; hour < 72; hour += 1) await add('hour', 24 * 30 + hour);
    for (const days of [0, 31, 400]) await add('day', 24 * days);
    await expire('hourly_usage', 31, 5);
    const sums = await database.query<{ grain: string; is_whole: boolean; count: number }[]>(
      `select grain, date_trunc('day', min(at), 'UTC') = min(at) as is_whole, count(*)::int as count from usage_cell
        group by grain order by grain desc`,
    );
    expect(sums).toEqual([
      { grain: 'hour', is_whole: true, count: expect.any(Number) },
      { grain: 'day', is_whole: true, count: 3 },
    ]);
    expect(sums[0]?.count).toBeGreaterThanOrEqual(24);
    expect(sums[0]?.count).toBeLessThanOrEqual(48);
    expect(await expire('daily_usage', 100)).toBe(1);
  });

  it('F8: forgets the state of processes that are long silent', async () => {
    await database.query(
      `insert into plane_report (plane, instance, version, started_at, seen_at)
       values ('gateway', 'gone', '1', now(), now() - interval '2 days'), ('gateway', 'here', '1', now(), now())`,
    );
    expect(await retention.expireReports(1)).toBe(1);
    expect(await database.query('select instance from plane_report')).toEqual([{ instance: 'here' }]);
  });

  it('F8: forgets answers to Idempotency-Keys by an index, and no younger ones', async () => {
    const owner = { instance: 'a', epoch: '1' };
    const replies = new IdempotentReplies(database, deriveSecretKey('a key of thirty-two characters...'));
    const call = (key: string) => ({
      tokenId: payer.tokenId,
      key,
      fingerprint: 'f',
      requestId: newId(),
      owner,
      isSealed: false,
    });
    for (const key of ['old', 'young']) await replies.claim(call(key));
    await database.query(
      `update idempotent_reply set created_at = now() - interval '25 hours' where key = 'old'`,
    );
    await replies.expire(24);
    const rows = await database.query('select key from idempotent_reply');
    expect(rows).toEqual([{ key: 'young' }]);
  });

  it('F8: leaves the ledger balanced, and every entry', async () => {
    expect(await ledger.findDrift()).toEqual([]);
    const [row] = await database.query(`select count(*)::int as count from entry where kind = 'charge'`);
    expect(row.count).toBeGreaterThan(0);
  });
});
