import {
  type HoldOwner,
  type JournalRow,
  type LeaseOutcome,
  type LeaseRequest,
  type NanoUsd,
  newId,
  NO_USAGE,
} from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { LeaseLedger } from './lease-ledger.js';
import { LedgerCheck } from './ledger-check.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

const USD = 1_000_000_000n;
const MILLI = 1_000_000n;
/** An output token costs 0.001 USD. */
const PRICE = { input_per_million: '1', output_per_million: '1000' };

let test: TestDatabase;
let database: DataSource;
let leases: LeaseLedger;
let wallets: WalletLedger;
let journal: JournalLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  leases = new LeaseLedger(database);
  wallets = new WalletLedger(database);
  journal = new JournalLedger(database);
});

afterAll(() => test.stop());

afterEach(async () => {
  expect(await wallets.findDrift()).toEqual([]);
});

/** A gateway that sends heartbeats; the others of earlier tests have fallen silent. */
async function startGateway(instance = `gateway/${newId()}`): Promise<HoldOwner> {
  await database.query(`update plane_instance set ended_at = now() where instance <> $1`, [instance]);
  const owner = { instance, epoch: newId() };
  await wallets.recordHeartbeat(owner);
  return owner;
}

interface Scene {
  readonly payer: Payer;
  readonly owner: HoldOwner;
  readonly request: LeaseRequest;
}

async function setUp(options: { balance?: bigint; quota?: bigint } = {}): Promise<Scene> {
  const payer = await seedPayer(database, { balance: USD, price: PRICE, ...options });
  return { payer, owner: await startGateway(), request: ask(payer) };
}

function ask({ walletId, tokenId }: Payer, changes: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    id: newId(),
    walletId,
    tokenId,
    wanted: 100n * MILLI,
    worst: 40n * MILLI,
    ttlSeconds: 1_200,
    ...changes,
  };
}

const open = async (owner: HoldOwner, request: LeaseRequest): Promise<LeaseOutcome | undefined> =>
  (await leases.open(owner, [request]))[0];

function giveBack({ owner, request }: Scene, amount: NanoUsd, isFinal: boolean) {
  const { id, walletId, tokenId } = request;
  return leases.close(owner, [{ id, walletId, tokenId, amount, isFinal }]);
}

/** A row of a call that was admitted from the lease, of so many output tokens. */
function rowOf(
  { payer, request }: Scene,
  outputTokens: number,
  changes: Partial<JournalRow> = {},
): JournalRow {
  const { walletId, tokenId, priceVersionId } = payer;
  return {
    requestId: newId(),
    seq: 1_000_000,
    phase: 'usage',
    usage: { ...NO_USAGE, outputTokens },
    estimated: false,
    payer: { walletId, tokenId, priceVersionId },
    lease: { id: request.id, worst: 40n * MILLI },
    ...changes,
  };
}

async function post(...rows: JournalRow[]): Promise<string[]> {
  await writeJournal(database, rows);
  const batch = await journal.postWaiting({ limit: 500, wait: false });
  return batch.rows.map((posted) => posted.outcome);
}

/** In thousandths of a dollar. */
async function readAccount({ walletId, tokenId }: Payer) {
  const [row] = await database.query(
    `select (w.balance / 1000000)::int as balance, (w.held / 1000000)::int as held, (t.used / 1000000)::int as used,
            (t.held / 1000000)::int as token_held,
            array(select e.kind || ' ' || e.amount / 1000000 from entry e
                   where e.wallet_id = w.id and e.kind <> 'topup' order by e.id) as entries
       from wallet w join token t on t.id = $2 where w.id = $1`,
    [walletId, tokenId],
  );
  return row;
}

async function readLease({ request }: Scene) {
  const [row] = await database.query(
    `select state, (amount / 1000000)::int as amount, (consumed / 1000000)::int as consumed from lease where id = $1`,
    [request.id],
  );
  return row;
}

/** What the sweeper makes of this lease. */
async function sweep({ request }: Scene) {
  return (await leases.sweep(100)).filter(({ id }) => id === request.id);
}

/** As if so much time had gone by since the lease was granted. */
const age = ({ request }: Scene, interval: string) =>
  database.query(
    `update lease set created_at = created_at - $2::interval, admit_until = admit_until - $2::interval,
       expires_at = expires_at - $2::interval where id = $1`,
    [request.id, interval],
  );

describe('a lease', () => {
  it('is held, on wallet and token, and is the same one when it is asked for again', async () => {
    const scene = await setUp({ quota: 10n * USD, balance: 10n * USD });
    const both = [await open(scene.owner, scene.request), await open(scene.owner, scene.request)];
    expect(both).toEqual([{ granted: 100n * MILLI }, { granted: 100n * MILLI }]);
    expect(await readAccount(scene.payer)).toMatchObject({ held: 100, token_held: 100, balance: 10_000 });
  });

  it.each([
    { what: 'wallet', balance: 799n * MILLI },
    { what: 'quota', balance: 100n * USD, quota: 799n * MILLI },
  ])('is not granted from a $what that does not cover twenty of its calls', async ({ balance, quota }) => {
    const scene = await setUp({ balance, ...(quota === undefined ? {} : { quota }) });
    expect(await open(scene.owner, scene.request)).toEqual({ refused: 'small' });
    expect(await readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('is a fifth of what is available at most, shared by the gateways that live', async () => {
    const { payer, owner } = await setUp({ balance: 10n * USD });
    const wanted = 100n * USD;
    expect(await open(owner, ask(payer, { wanted }))).toEqual({ granted: 2n * USD });
    await wallets.recordHeartbeat({ instance: `gateway/${newId()}`, epoch: 'b' });
    expect(await open(owner, ask(payer, { wanted }))).toEqual({ granted: 800n * MILLI });
  });

  it('is refused to who sends no heartbeats, to an epoch that is over, and to strangers', async () => {
    const { payer, owner } = await setUp({ balance: 10n * USD });
    expect(await open({ ...owner, epoch: 'before' }, ask(payer))).toEqual({ refused: 'fenced' });
    expect(await open({ instance: 'gateway/nobody', epoch: 'x' }, ask(payer))).toEqual({ refused: 'fenced' });
    expect(await open(owner, ask(payer, { tokenId: newId() }))).toEqual({ refused: 'unknown_payer' });
    expect(await open(owner, ask(payer, { walletId: newId() }))).toEqual({ refused: 'unknown_payer' });
  });

  it('is never granted beyond what there is, however many ask at once, and calls beside it get the rest', async () => {
    const { payer, owner } = await setUp({ balance: 2n * USD });
    const opened = Array.from({ length: 40 }, () => open(owner, ask(payer, { worst: 10n * MILLI })));
    const held = wallets.openHolds(
      Array.from({ length: 40 }, () =>
        buildHoldRequest(payer, { wanted: 40n * MILLI, minimum: 40n * MILLI }),
      ),
    );
    const sum = (await Promise.all(opened)).reduce(
      (total, outcome) => total + (outcome && 'granted' in outcome ? outcome.granted : 0n),
      0n,
    );
    const granted = (await held).filter((decision) => 'granted' in decision).length;
    const [wallet] = await database.query<{ held: string }[]>('select held from wallet where id = $1', [
      payer.walletId,
    ]);
    expect(BigInt(wallet?.held ?? 0)).toBe(sum + BigInt(granted) * 40n * MILLI);
    expect(BigInt(wallet?.held ?? 0)).toBeLessThanOrEqual(2n * USD);
  });

  it('that was given back before it was granted is not granted any more', async () => {
    const scene = await setUp();
    await giveBack(scene, 0n, true);
    expect(await open(scene.owner, scene.request)).toEqual({ refused: 'closed' });
    expect(await readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('does not wait long for a wallet that somebody has locked', async () => {
    const scene = await setUp();
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wallet where id = $1 for update', [scene.payer.walletId]);
    expect(await open(scene.owner, scene.request)).toEqual({ refused: 'busy' });
    expect(await giveBack(scene, 0n, true)).toEqual([]);
    await runner.rollbackTransaction();
    await runner.release();
  });
});

describe('a call from a lease', () => {
  it('is charged once, out of the lease, whoever posts it and however often it comes', async () => {
    const scene = await setUp({ quota: 10n * USD, balance: 10n * USD });
    await open(scene.owner, scene.request);
    const rows = Array.from({ length: 3 }, () => rowOf(scene, 30));
    await writeJournal(database, rows);
    await writeJournal(database, rows);
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => journal.postWaiting({ limit: 500, wait: index % 2 === 0 })),
    );
    expect(await post(...rows.map((row) => ({ ...row, seq: 1_000_001 })))).toEqual([
      'repeated',
      'repeated',
      'repeated',
    ]);
    expect(await readAccount(scene.payer)).toEqual({
      balance: 9_910,
      held: 10,
      used: 90,
      token_held: 10,
      entries: ['charge -30', 'charge -30', 'charge -30'],
    });
    expect(await readLease(scene)).toEqual({ state: 'open', amount: 100, consumed: 90 });
  });

  it('that costs more than its worst case takes no more than that from the lease', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    expect(await post(rowOf(scene, 70))).toEqual(['posted']);
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 930, held: 60 });
  });

  it('keeps its worst case from its checkpoint on, and is charged what it used in the end', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const call = rowOf(scene, 20);
    const checkpoint: JournalRow = { ...call, seq: 0, phase: 'checkpoint', estimated: true };
    expect(await post(checkpoint)).toEqual(['checkpointed']);
    expect(await readLease(scene)).toMatchObject({ consumed: 40 });
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 100 });
    expect(await post(call)).toEqual(['posted']);
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 980, held: 60, entries: ['charge -20'] });
  });

  it('that is cancelled after a checkpoint costs nothing and holds nothing', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const call = rowOf(scene, 20);
    const cancel: JournalRow = { ...call, phase: 'cancel' };
    await post({ ...call, seq: 0, phase: 'checkpoint', estimated: true });
    expect(await post(cancel)).toEqual(['voided']);
    expect(await post({ ...cancel, requestId: newId() })).toEqual(['voided']);
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 60, entries: [] });
  });

  it('is refunded and corrected like any other', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const call = rowOf(scene, 30, { estimated: true });
    expect(await post(call)).toEqual(['posted']);
    expect(
      await post({ ...call, seq: 1_000_001, estimated: false, usage: { ...NO_USAGE, outputTokens: 20 } }),
    ).toEqual(['true_up']);
    expect(await wallets.refund(call.requestId, 'sorry')).toBe(20n * MILLI);
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 1_000, held: 70, used: 0 });
  });

  it('of a locked wallet waits, and calls of others do not', async () => {
    const [locked, free] = [await setUp(), await setUp()];
    const owner = await startGateway();
    await open(owner, locked.request);
    await open(owner, free.request);
    const runner = database.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wallet where id = $1 for update', [locked.payer.walletId]);
    const checkpoint = rowOf(locked, 20, { seq: 0, phase: 'checkpoint', estimated: true });
    const outcomes = await post(rowOf(locked, 30), checkpoint, rowOf(free, 30));
    await runner.rollbackTransaction();
    await runner.release();
    expect(outcomes.toSorted()).toEqual(['posted', 'postponed', 'postponed']);
    await database.query('update usage_journal set retry_at = null');
    expect((await post()).toSorted()).toEqual(['checkpointed', 'posted']);
    expect(await readLease(locked)).toMatchObject({ consumed: 70 });
  });

  it('is left alone by a billing that does not know leases, and posted by the next that does', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const call = rowOf(scene, 30);
    await writeJournal(database, [call]);
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
      const rows = await database.query('select outcome from post_usage($1, false, $2)', [items, waits]);
      expect(rows).toEqual([{ outcome }]);
    }
    await database.query('update usage_journal set retry_at = null');
    expect(await post()).toEqual(['posted']);
    expect(await readAccount(scene.payer)).toMatchObject({ entries: ['charge -30'] });
  });

  it('counts once in the sums of usage, whether it is logged before or after it is charged', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const calls = [rowOf(scene, 10), rowOf(scene, 10)];
    const log = (call: JournalRow) =>
      writeRequestLog(database, [
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
    await post(...calls);
    if (second) await log(second);
    const ids = calls.map(({ requestId }) => requestId);
    const [row] = await database.query(
      'select sum(calls)::int as calls, (sum(cost) / 1000000)::int as cost from usage_change where request_id = any ($1)',
      [ids],
    );
    expect(row).toEqual({ calls: 2, cost: 20 });
  });
});

describe('the end of a lease', () => {
  it('leaves what is under way, then nothing, once its rows are posted', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const done = rowOf(scene, 30);
    await writeJournal(database, [done]);
    // 30 consumed and not posted, 40 under way.
    await giveBack(scene, 70n * MILLI, false);
    expect(await readLease(scene)).toEqual({ state: 'shrunk', amount: 70, consumed: 0 });
    await giveBack(scene, 30n * MILLI, true);
    expect(await readLease(scene)).toEqual({ state: 'closing', amount: 30, consumed: 0 });
    expect(await sweep(scene)).toEqual([]);
    expect(await post()).toEqual(['posted']);
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 970, held: 0 });
    expect(await sweep(scene)).toMatchObject([{ outcome: 'closed', freed: 0n }]);
  });

  it('never gives back more than there is, takes nothing back twice, and belongs to its owner', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    await post(rowOf(scene, 30));
    await leases.close({ ...scene.owner, epoch: 'other' }, [{ ...scene.request, amount: 0n, isFinal: true }]);
    expect(await readLease(scene)).toMatchObject({ state: 'open' });
    await giveBack(scene, 500n * MILLI, false);
    expect(await readLease(scene)).toMatchObject({ amount: 100 });
    await giveBack(scene, 0n, true);
    await giveBack(scene, 0n, true);
    expect(await readLease(scene)).toEqual({ state: 'closing', amount: 30, consumed: 30 });
    expect(await readAccount(scene.payer)).toMatchObject({ held: 0 });
  });

  it('frees at its sweep what a checkpointed call did not need', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const call = rowOf(scene, 10);
    // Both rows in one batch: the lease pays 10, its owner counts 40.
    await post({ ...call, seq: 0, phase: 'checkpoint', estimated: true }, call);
    await giveBack(scene, 40n * MILLI, true);
    expect(await readAccount(scene.payer)).toMatchObject({ held: 30 });
    expect(await sweep(scene)).toMatchObject([{ outcome: 'closed', freed: 30n * MILLI }]);
    expect(await readAccount(scene.payer)).toMatchObject({ held: 0, balance: 990 });
  });
});

describe('a lease whose owner was killed', () => {
  it('is freed when a new life proves it, after its rows are posted and its time to admit is over', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const [done, running] = [rowOf(scene, 30), rowOf(scene, 10)];
    await writeJournal(database, [done]);
    await post({ ...running, seq: 0, phase: 'checkpoint', estimated: true });
    await writeJournal(database, [rowOf(scene, 5)]);
    await startGateway(scene.owner.instance);
    expect(await sweep(scene)).toEqual([]);
    await age(scene, '6 seconds');
    expect(await sweep(scene)).toEqual([]);
    await post();
    expect(await sweep(scene)).toMatchObject([{ outcome: 'expired', freed: 25n * MILLI }]);
    // The stream that was under way is charged by its checkpoint, by the sweeper of holds.
    const swept = await wallets.sweep(100);
    expect(swept.find(({ requestId }) => requestId === running.requestId)?.outcome).toBe('posted');
    expect(await readAccount(scene.payer)).toMatchObject({ balance: 955, held: 0 });
  });

  it('charges late what comes afterwards, once', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    await startGateway(scene.owner.instance);
    await age(scene, '6 seconds');
    await leases.sweep(100);
    const late = rowOf(scene, 30);
    const checkpoint: JournalRow = { ...rowOf(scene, 3), seq: 0, phase: 'checkpoint', estimated: true };
    expect((await post(late, checkpoint)).toSorted()).toEqual(['late_charge', 'repeated']);
    expect(await post({ ...late, seq: 1_000_001 })).toEqual(['repeated']);
    expect(await readAccount(scene.payer)).toMatchObject({ held: 0, entries: ['late_charge -30'] });
  });

  it('charges late what comes when the lease is long forgotten', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    await giveBack(scene, 0n, true);
    await leases.sweep(100);
    await database.query(`update lease set closed_at = now() - interval '2 days'`);
    await leases.sweep(100);
    expect(await readLease(scene)).toBeUndefined();
    expect(await post(rowOf(scene, 30))).toEqual(['late_charge']);
  });

  it('is not freed while its owner lives, nor before the longest call of a silent one is over', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    await age(scene, '6 seconds');
    expect(await sweep(scene)).toEqual([]);
    await age(scene, '1200 seconds');
    expect(await sweep(scene)).toEqual([]);
    expect(await wallets.renewHolds(scene.owner, [scene.request.id])).toEqual([scene.request.id]);
    await age(scene, '661 seconds');
    expect(await sweep(scene)).toMatchObject([{ outcome: 'expired', freed: 100n * MILLI }]);
    expect(await wallets.renewHolds(scene.owner, [scene.request.id])).toEqual([]);
  });
});

describe('the last dollar of a wallet of which leases hold a part', () => {
  it('is recalled, told to gateways by the wallet, where that would be enough', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const listener = new Client(test.url);
    await listener.connect();
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query('listen lease_recalled');
    const lacking = (minimum: bigint) => buildHoldRequest(scene.payer, { wanted: minimum, minimum });
    const [much, enough, tooMuch] = [lacking(901n * MILLI), lacking(1_000n * MILLI), lacking(1_001n * MILLI)];
    const recalled = await leases.recall([much, enough, tooMuch]);
    expect([...recalled].toSorted()).toEqual([much.id, enough.id].toSorted());
    await listener.query('select 1');
    await listener.end();
    expect([...new Set(heard)]).toEqual([scene.payer.walletId]);
    await giveBack(scene, 0n, true);
    expect((await wallets.openHolds([enough]))[0]).toEqual({ granted: USD });
    expect(await leases.recall([much])).toEqual(new Set());
  });

  it('is recalled for a token quota alike, and by a lowered quota', async () => {
    const scene = await setUp({ balance: 100n * USD, quota: USD });
    await open(scene.owner, scene.request);
    const listener = new Client(test.url);
    await listener.connect();
    await listener.query('listen lease_recalled');
    const heard = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));
    const lacking = buildHoldRequest(scene.payer, { wanted: 950n * MILLI, minimum: 950n * MILLI });
    expect((await leases.recall([lacking])).size).toBe(1);
    expect(await heard).toBe(scene.payer.walletId);
    const again = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));
    await database.query('update token set spending_quota = 1 where id = $1', [scene.payer.tokenId]);
    expect(await again).toBe(scene.payer.walletId);
    expect((await leases.recall([lacking])).size).toBe(0);
    await listener.end();
  });

  it('is not waited for where the owner has had its time to give it back', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const lacking = buildHoldRequest(scene.payer, { wanted: USD, minimum: USD });
    await age(scene, '11 seconds');
    expect((await leases.recall([lacking])).size).toBe(0);
  });
});

describe('the check of the books', () => {
  it('finds a lease that was changed behind the back of the functions', async () => {
    const scene = await setUp();
    await open(scene.owner, scene.request);
    const books = new LedgerCheck(database);
    while (await books.step({ roundEverySeconds: 0 })) if (await books.find()) break;
    expect((await books.find())?.rows).toEqual([]);
    await database.query('update lease set consumed = 1 where id = $1', [scene.request.id]);
    expect((await books.find())?.rows.map(({ what }) => what).toSorted()).toEqual([
      'token.held',
      'wallet.held',
    ]);
    expect((await wallets.findDrift()).map(({ what }) => what).toSorted()).toEqual([
      'token.held',
      'wallet.held',
    ]);
    await database.query('update lease set consumed = 0 where id = $1', [scene.request.id]);
  });
});
