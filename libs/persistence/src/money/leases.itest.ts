import { type JournalRow, newId, omitUndefined } from '@mg/contract';
import { buildHoldRequest } from '@mg/testkit';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { LeaseBank, MILLI, USD } from '../testing/lease-bank.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { LedgerCheck } from './ledger-check.js';

let test: TestDatabase;
let bank: LeaseBank;

beforeAll(async () => {
  test = await openTestDatabase(16);
  bank = new LeaseBank(test.database);
});

afterAll(() => test.stop());

afterEach(() => bank.expectNoDrift());

describe('a lease', () => {
  it('is held, on wallet and token, and is the same one when it is asked for again', async () => {
    const scene = await bank.setUp({ quota: 10n * USD, balance: 10n * USD });
    const both = [await bank.open(scene.owner, scene.request), await bank.open(scene.owner, scene.request)];
    expect(both).toEqual([{ granted: 100n * MILLI }, { granted: 100n * MILLI }]);
    expect(await bank.readAccount(scene.payer)).toMatchObject({
      held: 100,
      token_held: 100,
      balance: 10_000,
    });
  });

  it.each([
    { what: 'wallet', balance: 799n * MILLI },
    { what: 'quota', balance: 100n * USD, quota: 799n * MILLI },
  ])('is not granted from a $what that does not cover twenty of its calls', async ({ balance, quota }) => {
    const scene = await bank.setUp(omitUndefined({ balance, quota }));
    expect(await bank.open(scene.owner, scene.request)).toEqual({ refused: 'small' });
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('is a fifth of what is available at most, shared by the gateways that live', async () => {
    const { payer, owner } = await bank.setUp({ balance: 10n * USD });
    const wanted = 100n * USD;
    expect(await bank.open(owner, bank.ask(payer, { wanted }))).toEqual({ granted: 2n * USD });
    await bank.processes.recordHeartbeat({ instance: `gateway/${newId()}`, epoch: 'b' });
    expect(await bank.open(owner, bank.ask(payer, { wanted }))).toEqual({ granted: 800n * MILLI });
  });

  it('is refused to who sends no heartbeats, to an epoch that is over, and to strangers', async () => {
    const { payer, owner } = await bank.setUp({ balance: 10n * USD });
    expect(await bank.open({ ...owner, epoch: 'before' }, bank.ask(payer))).toEqual({ refused: 'fenced' });
    expect(await bank.open({ instance: 'gateway/nobody', epoch: 'x' }, bank.ask(payer))).toEqual({
      refused: 'fenced',
    });
    expect(await bank.open(owner, bank.ask(payer, { tokenId: newId() }))).toEqual({
      refused: 'unknown_payer',
    });
    expect(await bank.open(owner, bank.ask(payer, { walletId: newId() }))).toEqual({
      refused: 'unknown_payer',
    });
  });

  it('is never granted beyond what there is, however many ask at once, and calls beside it get the rest', async () => {
    const { payer, owner } = await bank.setUp({ balance: 2n * USD });
    const opened = Array.from({ length: 40 }, () =>
      bank.open(owner, bank.ask(payer, { worst: 10n * MILLI })),
    );
    const held = bank.wallets.openHolds(
      Array.from({ length: 40 }, () =>
        buildHoldRequest(payer, { wanted: 40n * MILLI, minimum: 40n * MILLI }),
      ),
    );
    const sum = (await Promise.all(opened)).reduce(
      (total, outcome) => total + (outcome && 'granted' in outcome ? outcome.granted : 0n),
      0n,
    );
    const granted = (await held).filter((decision) => 'granted' in decision).length;
    const [wallet] = await bank.database.query<{ held: string }[]>('select held from wallet where id = $1', [
      payer.walletId,
    ]);
    expect(BigInt(wallet?.held ?? 0)).toBe(sum + BigInt(granted) * 40n * MILLI);
    expect(BigInt(wallet?.held ?? 0)).toBeLessThanOrEqual(2n * USD);
  });

  it('that was given back before it was granted is not granted any more', async () => {
    const scene = await bank.setUp();
    await bank.giveBack(scene, 0n, true);
    expect(await bank.open(scene.owner, scene.request)).toEqual({ refused: 'closed' });
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('does not wait long for a wallet that somebody has locked', async () => {
    const scene = await bank.setUp();
    const runner = bank.database.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wallet where id = $1 for update', [scene.payer.walletId]);
    expect(await bank.open(scene.owner, scene.request)).toEqual({ refused: 'busy' });
    expect(await bank.giveBack(scene, 0n, true)).toEqual([]);
    await runner.rollbackTransaction();
    await runner.release();
  });
});

describe('the end of a lease', () => {
  it('leaves what is in progress, then nothing, once its rows are posted', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const done = bank.rowOf(scene, 30);
    await writeJournal(bank.database, [done]);
    // 30 consumed and not posted, 40 in progress.
    await bank.giveBack(scene, 70n * MILLI, false);
    expect(await bank.readLease(scene)).toEqual({ state: 'shrunk', amount: 70, consumed: 0 });
    await bank.giveBack(scene, 30n * MILLI, true);
    expect(await bank.readLease(scene)).toEqual({ state: 'closing', amount: 30, consumed: 0 });
    expect(await bank.sweep(scene)).toEqual([]);
    expect(await bank.post()).toEqual(['posted']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 970, held: 0 });
    expect(await bank.sweep(scene)).toMatchObject([{ outcome: 'closed', freed: 0n }]);
  });

  it('never gives back more than there is, takes nothing back twice, and belongs to its owner', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    await bank.post(bank.rowOf(scene, 30));
    await bank.leases.close({ ...scene.owner, epoch: 'other' }, [
      { ...scene.request, amount: 0n, isFinal: true },
    ]);
    expect(await bank.readLease(scene)).toMatchObject({ state: 'open' });
    await bank.giveBack(scene, 500n * MILLI, false);
    expect(await bank.readLease(scene)).toMatchObject({ amount: 100 });
    await bank.giveBack(scene, 0n, true);
    await bank.giveBack(scene, 0n, true);
    expect(await bank.readLease(scene)).toEqual({ state: 'closing', amount: 30, consumed: 30 });
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('frees at its sweep what a checkpointed call did not need', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const call = bank.rowOf(scene, 10);
    // Both rows in one batch: the lease pays 10, its owner counts 40.
    await bank.post({ ...call, seq: 0, phase: 'checkpoint', estimated: true }, call);
    await bank.giveBack(scene, 40n * MILLI, true);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 30 });
    const lacking = buildHoldRequest(scene.payer, { wanted: 990n * MILLI, minimum: 990n * MILLI });
    expect(await bank.leases.recall([lacking])).toEqual(new Set([lacking.id]));
    expect(await bank.sweep(scene)).toMatchObject([{ outcome: 'closed', freed: 30n * MILLI }]);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 0, balance: 990 });
  });
});

describe('a lease whose owner was killed', () => {
  it('is freed when a new epoch proves it, after its rows are posted and its time to admit is over', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const [done, running] = [bank.rowOf(scene, 30), bank.rowOf(scene, 10)];
    await writeJournal(bank.database, [done]);
    await bank.post({ ...running, seq: 0, phase: 'checkpoint', estimated: true });
    await writeJournal(bank.database, [bank.rowOf(scene, 5)]);
    await bank.startGateway(scene.owner.instance);
    expect(await bank.sweep(scene)).toEqual([]);
    await bank.age(scene, '6 seconds');
    expect(await bank.sweep(scene)).toEqual([]);
    await bank.post();
    expect(await bank.sweep(scene)).toMatchObject([{ outcome: 'expired', freed: 25n * MILLI }]);
    // The stream that was in flight is charged by its checkpoint, by the sweeper of holds.
    const swept = await bank.wallets.sweep(100);
    expect(swept.find(({ requestId }) => requestId === running.requestId)?.outcome).toBe('posted');
    expect(await bank.readAccount(scene.payer)).toMatchObject({ balance: 955, held: 0 });
  });

  it('charges late what comes afterwards, once', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    await bank.startGateway(scene.owner.instance);
    await bank.age(scene, '6 seconds');
    await bank.leases.sweep(100);
    const late = bank.rowOf(scene, 30);
    const checkpoint: JournalRow = { ...bank.rowOf(scene, 3), seq: 0, phase: 'checkpoint', estimated: true };
    expect((await bank.post(late, checkpoint)).toSorted()).toEqual(['late_charge', 'repeated']);
    expect(await bank.post({ ...late, seq: 1_000_001 })).toEqual(['repeated']);
    expect(await bank.readAccount(scene.payer)).toMatchObject({ held: 0, entries: ['late_charge -30'] });
  });

  it('charges late what comes when the lease is long forgotten', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    await bank.giveBack(scene, 0n, true);
    await bank.leases.sweep(100);
    await bank.database.query(`update lease set closed_at = now() - interval '2 hours'`);
    await bank.leases.sweep(100);
    expect(await bank.readLease(scene)).toBeUndefined();
    expect(await bank.post(bank.rowOf(scene, 30))).toEqual(['late_charge']);
  });

  it('is not freed while its owner lives, nor before the longest call of a silent one is over', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    await bank.age(scene, '6 seconds');
    expect(await bank.sweep(scene)).toEqual([]);
    await bank.age(scene, '1200 seconds');
    expect(await bank.sweep(scene)).toEqual([]);
    expect(await bank.wallets.renewHolds(scene.owner, [scene.request.id])).toEqual([scene.request.id]);
    await bank.age(scene, '661 seconds');
    expect(await bank.sweep(scene)).toMatchObject([{ outcome: 'expired', freed: 100n * MILLI }]);
    expect(await bank.wallets.renewHolds(scene.owner, [scene.request.id])).toEqual([]);
  });
});

describe('the last dollar of a wallet of which leases hold a part', () => {
  it('is recalled, announced to gateways by the wallet, where that would be enough', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const listener = new Client(test.url);
    await listener.connect();
    const notified: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => notified.push(payload));
    await listener.query('listen lease_recalled');
    const lacking = (minimum: bigint) => buildHoldRequest(scene.payer, { wanted: minimum, minimum });
    const [much, enough, tooMuch] = [lacking(901n * MILLI), lacking(1_000n * MILLI), lacking(1_001n * MILLI)];
    const recalled = await bank.leases.recall([much, enough, tooMuch]);
    expect([...recalled].toSorted()).toEqual([much.id, enough.id].toSorted());
    await listener.query('select 1');
    await listener.end();
    expect([...new Set(notified)]).toEqual([scene.payer.walletId]);
    await bank.giveBack(scene, 0n, true);
    expect((await bank.wallets.openHolds([enough]))[0]).toEqual({ granted: USD });
    expect(await bank.leases.recall([much])).toEqual(new Set());
  });

  it('is recalled for a token quota alike, and by a lowered quota', async () => {
    const scene = await bank.setUp({ balance: 100n * USD, quota: USD });
    await bank.open(scene.owner, scene.request);
    const listener = new Client(test.url);
    await listener.connect();
    await listener.query('listen lease_recalled');
    const notified = new Promise((resolve) =>
      listener.once('notification', ({ payload }) => resolve(payload)),
    );
    const lacking = buildHoldRequest(scene.payer, { wanted: 950n * MILLI, minimum: 950n * MILLI });
    expect((await bank.leases.recall([lacking])).size).toBe(1);
    expect(await notified).toBe(scene.payer.walletId);
    const again = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));
    await bank.database.query('update token set spending_quota = 1 where id = $1', [scene.payer.tokenId]);
    expect(await again).toBe(scene.payer.walletId);
    expect((await bank.leases.recall([lacking])).size).toBe(0);
    await listener.end();
  });

  it('is not waited for where the owner has had its time to give it back', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const lacking = buildHoldRequest(scene.payer, { wanted: USD, minimum: USD });
    await bank.age(scene, '11 seconds');
    expect((await bank.leases.recall([lacking])).size).toBe(0);
  });
});

describe('the check of the ledger', () => {
  it('finds a lease that was changed behind the back of the functions', async () => {
    const scene = await bank.setUp();
    await bank.open(scene.owner, scene.request);
    const books = new LedgerCheck(bank.database);
    while (await books.step({ roundEverySeconds: 0 })) if (await books.find()) break;
    expect((await books.find())?.rows).toEqual([]);
    await bank.database.query('update lease set consumed = 1 where id = $1', [scene.request.id]);
    expect((await books.find())?.rows.map(({ what }) => what).toSorted()).toEqual([
      'token.held',
      'wallet.held',
    ]);
    expect((await bank.wallets.findDrift()).map(({ what }) => what).toSorted()).toEqual([
      'token.held',
      'wallet.held',
    ]);
    await bank.database.query('update lease set consumed = 0 where id = $1', [scene.request.id]);
  });
});
