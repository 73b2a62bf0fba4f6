import { type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { LeaseBank, MILLI, USD } from '../testing/lease-bank.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';

let test: TestDatabase;
let bank: LeaseBank;

beforeAll(async () => {
  test = await openTestDatabase(16);
  bank = new LeaseBank(test.database);
});

afterAll(() => test.stop());

afterEach(() => bank.expectNoDrift());

describe('a call from a lease', () => {
  it('is charged once, out of the lease, whoever posts it and however often it comes', async () => {
    const scene = await bank.setUp({ quota: 10n * USD, balance: 10n * USD });
    await bank.open(scene.owner, scene.request);
    const rows = Array.from({ length: 3 }, () => bank.rowOf(scene, 30));
    await writeJournal(bank.database, rows);
    await writeJournal(bank.database, rows);
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        bank.journal.postWaiting({ limit: 500, wait: index % 2 === 0 }),
      ),
    );
    expect(await bank.post(...rows.map((row) => ({ ...row, seq: 1_000_001 })))).toEqual([
      'repeated',
      'repeated',
      'repeated',
    ]);
    expect(await bank.readAccount(scene.payer)).toEqual({
      balance: 9_910,
      held: 10,
      used: 90,
      token_held: 10,
      entries: ['charge -30', 'charge -30', 'charge -30'],
    });
    expect(await bank.readLease(scene)).toEqual({ state: 'open', amount: 100, consumed: 90 });
  });

  it('that costs more than its worst case takes no more than that from the lease', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    expect(await bank.post(bank.rowOf(scene, 70))).toEqual(['posted']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 930, held: 60 });
  });

  it('keeps its worst case from its checkpoint on, and is charged what it used in the end', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const call = bank.rowOf(scene, 20);
    const checkpoint: JournalRow = { ...call, seq: 0, phase: 'checkpoint', estimated: true };
    expect(await bank.post(checkpoint)).toEqual(['checkpointed']);
    expect(await bank.readLease(scene)).toMatchObject({ consumed: 40 });
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 100 });
    expect(await bank.post(call)).toEqual(['posted']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({
      balance: 980,
      held: 60,
      entries: ['charge -20'],
    });
  });

  it('that is cancelled after a checkpoint costs nothing and holds nothing', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const call = bank.rowOf(scene, 20);
    const cancel: JournalRow = { ...call, phase: 'cancel' };
    await bank.post({ ...call, seq: 0, phase: 'checkpoint', estimated: true });
    expect(await bank.post(cancel)).toEqual(['voided']);
    expect(await bank.post({ ...cancel, requestId: newId() })).toEqual(['voided']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 60, entries: [] });
  });

  it('is refunded and corrected like any other', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const call = bank.rowOf(scene, 30, { estimated: true });
    expect(await bank.post(call)).toEqual(['posted']);
    expect(
      await bank.post({
        ...call,
        seq: 1_000_001,
        estimated: false,
        usage: { ...NO_USAGE, outputTokens: 20 },
      }),
    ).toEqual(['true_up']);
    expect(await bank.wallets.refund(call.requestId, 'sorry')).toBe(20n * MILLI);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 70, used: 0 });
  });

  it('of a locked wallet waits, and calls of others do not', async () => {
    const [locked, free] = [await bank.setUp(), await bank.setUp()];
    const owner = await bank.startGateway();
    await bank.open(owner, locked.request);
    await bank.open(owner, free.request);
    const runner = bank.database.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wallet where id = $1 for update', [locked.payer.walletId]);
    const checkpoint = bank.rowOf(locked, 20, { seq: 0, phase: 'checkpoint', estimated: true });
    const outcomes = await bank.post(bank.rowOf(locked, 30), checkpoint, bank.rowOf(free, 30));
    await runner.rollbackTransaction();
    await runner.release();
    expect(outcomes.toSorted()).toEqual(['posted', 'postponed', 'postponed']);
    await bank.database.query('update usage_journal set retry_at = null');
    expect((await bank.post()).toSorted()).toEqual(['checkpointed', 'posted']);
    expect(await bank.readLease(locked)).toMatchObject({ consumed: 70 });
  });

  it('is left alone by a billing that does not know leases, and posted by the next that does', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const call = bank.rowOf(scene, 30);
    await writeJournal(bank.database, [call]);
    const item = {
      request_id: call.requestId,
      seq: call.seq,
      phase: 'usage',
      charge: '30000000',
      estimated: false,
    };
    const items = JSON.stringify([{ ...item, usage: {}, price_version_id: scene.payer.priceVersionId }]);
    for (const [waits, outcome] of [
      [false, 'busy'],
      [true, 'postponed'],
    ] as const) {
      const rows = await bank.database.query('select outcome from post_usage($1, false, $2)', [items, waits]);
      expect(rows).toEqual([{ outcome }]);
    }
    await bank.database.query('update usage_journal set retry_at = null');
    expect(await bank.post()).toEqual(['posted']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ entries: ['charge -30'] });
  });

  it('counts once in the sums of usage, whether it is logged before or after it is charged', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const calls = [bank.rowOf(scene, 10), bank.rowOf(scene, 10)];
    const log = (call: JournalRow) =>
      writeRequestLog(bank.database, [
        {
          requestId: call.requestId,
          createdAt: new Date(),
          userId: scene.payer.userId,
          tokenId: scene.payer.tokenId,
          tokenName: 'test',
          walletId: scene.payer.walletId,
          model: scene.payer.model,
          endpoint: 'chat',
          channel: 'c',
          status: 200,
          errorCode: undefined,
          stream: false,
          latencyMs: 1,
          ttftMs: undefined,
          usage: NO_USAGE,
          cost: 10n * MILLI,
          estimated: false,
          reason: 'completed',
          attempts: [],
          priceVersionId: scene.payer.priceVersionId,
          leaseId: scene.request.id,
        },
      ]);
    const [first, second] = calls;
    if (first) await log(first);
    await bank.post(...calls);
    if (second) await log(second);
    const ids = calls.map(({ requestId }) => requestId);
    const [row] = await bank.database.query(
      'select sum(calls)::int as calls, (sum(cost) / 1000000)::int as cost from usage_change where request_id = any ($1)',
      [ids],
    );
    expect(row).toEqual({ calls: 2, cost: 20 });
  });
});
