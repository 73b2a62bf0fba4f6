import { type HoldRequest, newId, NO_USAGE, type RequestLogRow } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYONE, onlyUser } from '../console/owner-scope.js';
import { writeJournal, writeRequestLog } from '../journal/write-journal.js';
import { JournalLedger } from '../money/post-journal.js';
import { WalletLedger } from '../money/wallet-ledger.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { UsageRollups } from './usage-rollups.js';
import { listUsage } from './usage-series.js';
import { sumUsage } from './usage-sums.js';

const USD = 1_000_000_000n;
const PRICE = { input_per_million: '1', output_per_million: '1000' };
const HOUR_MS = 3_600_000;

let test: TestDatabase;
let database: DataSource;
let wallets: WalletLedger;
let journal: JournalLedger;
let usage: UsageRollups;
let payer: Payer;

beforeAll(async () => {
  test = await openTestDatabase(8);
  ({ database } = test);
  wallets = new WalletLedger(database);
  journal = new JournalLedger(database);
  usage = new UsageRollups(database);
  payer = await seedPayer(database, { balance: 100n * USD, price: PRICE });
});

afterAll(() => test.stop());

/** A call of so many output tokens, 0.001 USD each, that was begun so long ago. */
interface Call {
  readonly request: HoldRequest;
  readonly outputTokens: number;
  readonly row: RequestLogRow;
}

async function openCall(outputTokens: number, changes: Partial<RequestLogRow> = {}): Promise<Call> {
  const request = buildHoldRequest(payer);
  await wallets.openHolds([request]);
  const row: RequestLogRow = {
    requestId: request.id,
    createdAt: new Date(Date.now() - 5 * HOUR_MS),
    userId: payer.userId,
    tokenId: payer.tokenId,
    tokenName: 'test',
    walletId: payer.walletId,
    model: payer.model,
    endpoint: '/v1/chat/completions',
    channel: 'one',
    status: 200,
    errorCode: undefined,
    stream: true,
    latencyMs: 300,
    ttftMs: 40,
    usage: { ...NO_USAGE, inputTokens: 7, cachedInputTokens: 3, outputTokens },
    cost: 0n,
    estimated: false,
    reason: 'completed',
    attempts: [],
    priceVersionId: payer.priceVersionId,
    ...changes,
  };
  return { request, outputTokens, row };
}

const log = (...calls: Call[]) =>
  writeRequestLog(
    database,
    calls.map((call) => call.row),
  );

async function charge(...calls: Call[]): Promise<void> {
  const rows = calls.map(({ request, outputTokens }) => ({
    requestId: request.id,
    seq: 0,
    phase: 'usage' as const,
    usage: { ...NO_USAGE, outputTokens },
    estimated: false,
  }));
  await writeJournal(database, rows);
  await journal.postWaiting({ limit: 500, wait: true });
}

const question = () => ({
  from: new Date(Date.now() - 3 * 24 * HOUR_MS),
  to: new Date(Date.now() + HOUR_MS),
});

/** What the rollups say of this payer's calls. */
async function readSums() {
  const sums = await sumUsage(database.manager, onlyUser(payer.userId), 'model', question());
  return sums[0];
}

/** The same by the rows themselves. */
async function readRows() {
  const [row] = await database.query(
    `select count(*)::integer as calls, count(*) filter (where call.status >= 400)::integer as errors,
            count(*) filter (where call.status between 400 and 499)::integer as client_errors,
            count(*) filter (where call.status >= 500)::integer as server_errors,
            sum((call.usage->>'input_tokens')::bigint)::integer as input,
            sum((call.usage->>'output_tokens')::bigint)::integer as output,
            sum((call.usage->>'cached_input_tokens')::bigint)::integer as cached,
            coalesce(sum((select -sum(e.amount) from entry e
              where e.request_id = call.request_id::text and e.wallet_id is not null)), 0)::bigint as cost
       from request_log call where call.user_id = $1`,
    [payer.userId],
  );
  return row;
}

async function expectToAgree(): Promise<void> {
  const sum = await readSums();
  const { calls, errors, client_errors, server_errors, input, output, cached, cost } = await readRows();
  expect(sum).toMatchObject({
    calls,
    errors,
    clientErrors: client_errors,
    serverErrors: server_errors,
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens: cached,
    cost: BigInt(cost),
  });
}

async function countWaiting(): Promise<number> {
  const [row] = await database.query('select count(*)::integer as count from usage_change');
  return row.count;
}

describe('usage rollups', () => {
  it('agree with the rows before and after aggregation, whichever of log and ledger comes first', async () => {
    const [early, late, failed, refused] = [
      await openCall(10),
      await openCall(20),
      await openCall(0, { status: 502, channel: undefined, ttftMs: undefined }),
      await openCall(0, { status: 429, channel: undefined, ttftMs: undefined }),
    ];
    await log(early);
    await charge(early, late);
    await expectToAgree();
    await usage.aggregate(1_000);
    await expectToAgree();
    expect(await countWaiting()).toBe(1);
    await log(late, failed, refused);
    await charge(failed, refused);
    await expectToAgree();
    await usage.aggregate(1_000);
    await expectToAgree();
    expect(await countWaiting()).toBe(0);
    expect(await readSums()).toMatchObject({
      calls: 4,
      errors: 2,
      clientErrors: 1,
      serverErrors: 1,
      outputTokens: 30,
      cost: (3n * USD) / 100n,
    });
  });

  it('count what is reported twice once', async () => {
    const call = await openCall(10);
    await log(call);
    await log(call);
    await charge(call);
    await charge(call);
    await expectToAgree();
    expect(await usage.aggregate(1_000)).toBe(2);
    expect(await usage.aggregate(1_000)).toBe(0);
    await expectToAgree();
  });

  it('follow a correction, a refund and what is learnt of a lost call', async () => {
    const call = await openCall(50, { reason: 'gateway_lost' });
    await log(call);
    await database.query(
      `select * from settle(array[($1, 'usage', 9000000, '{"output_tokens": 9}', true)::settlement])`,
      [call.request.id],
    );
    await usage.aggregate(1_000);
    await expectToAgree();
    await database.query(
      `select * from settle(array[($1, 'usage', 50000000, '{"output_tokens": 50, "input_tokens": 3}', false)::settlement])`,
      [call.request.id],
    );
    await expectToAgree();
    await usage.aggregate(1_000);
    await expectToAgree();
    await database.query('select * from refund($1, $2)', [call.request.id, 'sorry']);
    await expectToAgree();
    await usage.aggregate(1_000);
    await expectToAgree();
  });

  it('agree while many write and several aggregate at once', async () => {
    const calls = await Promise.all(Array.from({ length: 40 }, (_, index) => openCall(index)));
    await Promise.all([
      ...calls.map((call) => log(call)),
      ...calls.map((call) => charge(call)),
      ...Array.from({ length: 20 }, () => usage.aggregate(7)),
    ]);
    await expectToAgree();
    while ((await usage.aggregate(7)) > 0);
    await expectToAgree();
    expect(await countWaiting()).toBe(0);
  });

  it('leave top-ups and what is not charged for a call alone', async () => {
    const before = await readSums();
    await wallets.topUp({ walletId: payer.walletId, amount: USD, note: '', idempotencyKey: newId() });
    expect(await countWaiting()).toBe(0);
    expect(await readSums()).toEqual(before);
  });
});

/** The range of whole hours or days that a series of it consists of. */
function toBuckets({ from, to }: { from: Date; to: Date }, bucketMs: number) {
  const inBuckets = (moment: Date, round: (count: number) => number) =>
    new Date(round(moment.getTime() / bucketMs) * bucketMs);
  return { from: inBuckets(from, Math.floor), to: inBuckets(to, Math.ceil) };
}

describe('questions', () => {
  it('are answered by hours, days and filters alike, from any moment to any other', async () => {
    const base = Date.UTC(2025, 2, 1, 10);
    const at = (minutes: number) => new Date(base + minutes * 60_000);
    const made = [5, 65, 700, 1_500, 3_000];
    payer = await seedPayer(database, { balance: 100n * USD, price: PRICE });
    const calls = await Promise.all(
      made.map((minutes, index) => openCall(10, { createdAt: at(minutes), channel: `c${index % 2}` })),
    );
    await log(...calls);
    await charge(...calls);
    const findMade = ({ from, to }: { from: Date; to: Date }) =>
      made.filter((minutes) => at(minutes) >= from && at(minutes) < to);
    for (const isAggregated of [false, true]) {
      if (isAggregated) await usage.aggregate(1_000);
      for (const [from, to] of [
        [0, 4_000],
        [5, 65],
        [6, 66],
        [6, 30],
        [60, 1_501],
        [700, 700],
      ] as const) {
        const range = { from: at(from), to: at(to) };
        const expected = findMade(range);
        const scope = onlyUser(payer.userId);
        const sums = await sumUsage(database.manager, scope, 'day', range);
        expect(sums.reduce((sum, day) => sum + day.calls, 0)).toBe(expected.length);
        for (const [bucket, bucketMs] of [
          ['hour', HOUR_MS],
          ['day', 24 * HOUR_MS],
        ] as const) {
          const points = await listUsage(database.manager, scope, { ...range, bucket });
          const inBuckets = findMade(toBuckets(range, bucketMs));
          expect(points.reduce((sum, point) => sum + point.calls, 0)).toBe(inBuckets.length);
        }
        const ofChannel = { ...range, bucket: 'hour', channel: 'c1' } as const;
        const filtered = await listUsage(database.manager, EVERYONE, ofChannel);
        const inHours = findMade(toBuckets(range, HOUR_MS));
        const expectedCost =
          BigInt(inHours.filter((minutes) => made.indexOf(minutes) % 2 === 1).length) * (USD / 100n);
        expect(filtered.reduce((sum, point) => sum + point.cost, 0n)).toBe(expectedCost);
      }
    }
    const [whole] = await sumUsage(database.manager, onlyUser(payer.userId), 'token', {
      from: at(0),
      to: at(4_000),
    });
    expect(whole).toMatchObject({ key: payer.tokenId, label: 'test', calls: 5 });
    expect(Math.abs((whole?.times.latencyP50Ms ?? 0) - 300)).toBeLessThan(30);
  });
});
