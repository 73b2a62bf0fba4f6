import { type HoldOwner, newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { JournalLedger } from './post-journal.js';
import { ProcessLedger } from './process-ledger.js';
import { WalletLedger } from './wallet-ledger.js';

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let processes: ProcessLedger;

beforeAll(async () => {
  test = await openTestDatabase(4);
  ({ database } = test);
  ledger = new WalletLedger(database);
  processes = new ProcessLedger(database);
});

afterAll(() => test.stop());

const newOwner = (): HoldOwner => ({ instance: `gateway-${newId()}`, epoch: newId() });

/** A call of a living process whose hold runs out in a second. */
async function beginCall(owner: HoldOwner): Promise<string> {
  const payer = await seedPayer(database, { balance: 1_000_000_000n, price: { output_per_million: '1000' } });
  const request = buildHoldRequest(payer, { owner, ttlSeconds: 1 });
  await processes.recordHeartbeat(owner);
  await ledger.openHolds([request]);
  return request.id;
}

/** All deadlines come nearer, as if minutes had passed. */
const letMinutesPass = (minutes: number) =>
  database.query(`update hold set expires_at = expires_at - make_interval(mins => $1)`, [minutes]);

async function readState(id: string): Promise<string> {
  const [hold] = await database.query('select state from hold where id = $1', [id]);
  return hold.state;
}

const secondsLeft = async (id: string): Promise<number> => {
  const [hold] = await database.query(
    'select extract(epoch from expires_at - now())::float as seconds from hold where id = $1',
    [id],
  );
  return hold.seconds;
};

describe('a hold that is renewed', () => {
  it('F6: outlives its deadline as long as its call lives, and is charged once', async () => {
    const owner = newOwner();
    const id = await beginCall(owner);
    for (let renewal = 0; renewal < 3; renewal++) {
      expect(await ledger.renewHolds(owner, [id])).toEqual([id]);
      await letMinutesPass(9);
      expect(await ledger.sweep(500)).toEqual([]);
    }
    await writeJournal(database, [
      { requestId: id, seq: 0, phase: 'usage', usage: { ...NO_USAGE, outputTokens: 7 }, estimated: false },
    ]);
    const { rows } = await new JournalLedger(database).postWaiting({ limit: 500, wait: false });
    expect(rows.map(({ outcome }) => outcome)).toEqual(['posted']);
    const entries = await database.query(
      'select kind from entry where request_id = $1 and wallet_id is not null',
      [id],
    );
    expect(entries).toEqual([{ kind: 'charge' }]);
    expect(await ledger.findDrift()).toEqual([]);
  });

  it('F6: is swept when nobody renews it any more: its call has ended without a row', async () => {
    const owner = newOwner();
    const id = await beginCall(owner);
    await ledger.renewHolds(owner, [id]);
    await letMinutesPass(12);
    expect(await ledger.sweep(500)).toMatchObject([{ requestId: id, outcome: 'expired' }]);
  });

  it('F6: is the own one of an epoch of a process, never that of another', async () => {
    const owner = newOwner();
    const id = await beginCall(owner);
    const before = await secondsLeft(id);
    expect(await ledger.renewHolds(newOwner(), [id])).toEqual([]);
    expect(await ledger.renewHolds({ ...owner, epoch: newId() }, [id])).toEqual([]);
    expect(await secondsLeft(id)).toBeLessThanOrEqual(before);
    await ledger.voidHold(id);
  });

  it('F6: is open: one that has ended is not revived, and one that nobody opened is no hold', async () => {
    const owner = newOwner();
    const id = await beginCall(owner);
    await ledger.voidHold(id);
    expect(await ledger.renewHolds(owner, [id, newId()])).toEqual([]);
    expect(await readState(id)).toBe('voided');
  });

  it('never stands shorter than before, nor longer than a day after it was opened', async () => {
    const owner = newOwner();
    const id = await beginCall(owner);
    await database.query(`update hold set expires_at = now() + interval '1 hour' where id = $1`, [id]);
    await ledger.renewHolds(owner, [id]);
    expect(await secondsLeft(id)).toBeGreaterThan(3_000);
    await database.query(
      `update hold set expires_at = now() + interval '1 second', created_at = now() - interval '23 hours 59 minutes'
        where id = $1`,
      [id],
    );
    await ledger.renewHolds(owner, [id]);
    expect(await secondsLeft(id)).toBeLessThanOrEqual(60);
    await ledger.voidHold(id);
  });

  it('does not wait for somebody who settles it just now', async () => {
    const owner = newOwner();
    const [busy, free] = [await beginCall(owner), await beginCall(owner)];
    await database.transaction(async (other) => {
      await other.query('select 1 from hold where id = $1 for update', [busy]);
      expect(await ledger.renewHolds(owner, [busy, free])).toEqual([free]);
    });
    for (const id of [busy, free]) await ledger.voidHold(id);
  });
});
