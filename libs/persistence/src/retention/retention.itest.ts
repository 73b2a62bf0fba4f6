import { newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, buildTaskRequest, type Payer, seedPayer } from '@mg/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdempotentReplies } from '../idempotency/idempotent-replies.js';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { JournalLedger } from '../money/post-journal.js';
import { WalletLedger } from '../money/wallet-ledger.js';
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

async function isThere(kind: ExpiringRows, id: string): Promise<boolean> {
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
    const { hold, task } = buildTaskRequest(payer, { task: { order: 'a cat' } });
    const id = idOf(60);
    const tasks = new TaskLedger(database);
    await tasks.openTask({ hold: { ...hold, id }, task: { ...task, id } });
    await tasks.endTask({ taskId: id, state: 'failed', note: 'no' });
    await expire('holds', 30);
    expect(await isThere('holds', id)).toBe(true);
  });

  it('F8: keeps the last day whatever it is told, and passes rows that somebody has locked', async () => {
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

  it('F8: forgets answers to Idempotency-Keys by an index, and no younger ones', async () => {
    const owner = { instance: 'a', epoch: '1' };
    const replies = new IdempotentReplies(database);
    const call = (key: string) => ({
      tokenId: payer.tokenId,
      key,
      fingerprint: 'f',
      requestId: newId(),
      owner,
    });
    for (const key of ['old', 'young']) await replies.claim(call(key));
    await database.query(
      `update idempotent_reply set created_at = now() - interval '25 hours' where key = 'old'`,
    );
    await replies.expire(24);
    const rows = await database.query('select key from idempotent_reply');
    expect(rows).toEqual([{ key: 'young' }]);
  });

  it('F8: leaves the books in order, and every entry', async () => {
    expect(await ledger.findDrift()).toEqual([]);
    const [row] = await database.query(`select count(*)::int as count from entry where kind = 'charge'`);
    expect(row.count).toBeGreaterThan(0);
  });
});
