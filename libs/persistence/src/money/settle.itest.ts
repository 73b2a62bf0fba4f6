import { type HoldRequest, type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

const USD = 1_000_000_000n;
const PRICE = { input_per_million: '1', output_per_million: '1000' };

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;
let journal: JournalLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new WalletLedger(database);
  journal = new JournalLedger(database);
});

afterAll(() => test.stop());

async function startCall(options: { quota?: bigint; price?: Record<string, string>; wanted?: bigint } = {}) {
  const payer = await seedPayer(database, { balance: USD, price: PRICE, ...options });
  const request = buildHoldRequest(payer, options.wanted === undefined ? {} : { wanted: options.wanted });
  await ledger.openHolds([request]);
  return { payer, request };
}

/** A journal row of so many output tokens, 0.001 USD each. */
function row(request: HoldRequest, outputTokens: number, changes: Partial<JournalRow> = {}): JournalRow {
  const usage = { ...NO_USAGE, outputTokens };
  return { requestId: request.id, seq: 0, phase: 'usage', usage, estimated: false, ...changes };
}

const images = (count: number) => ({ usage: { ...NO_USAGE, images: count } });

async function post(...rows: JournalRow[]): Promise<string[]> {
  await writeJournal(database, rows);
  const batch = await journal.postWaiting({ limit: 500, wait: false });
  return batch.rows.map((posted) => posted.outcome);
}

async function readAccount(payer: Payer) {
  const [wallet] = await database.query(
    `select w.balance, w.held, t.used, t.held as token_held from wallet w join token t on t.wallet_id = w.id where w.id = $1`,
    [payer.walletId],
  );
  const entries: { kind: string; amount: string; balance_after: string }[] = await database.query(
    `select kind, amount, balance_after from entry where wallet_id = $1 and kind <> 'topup' order by id`,
    [payer.walletId],
  );
  return { ...wallet, entries: entries.map((entry) => [entry.kind, entry.amount, entry.balance_after]) };
}

describe('posting the journal', () => {
  it('charges what a call cost and returns the rest of its hold', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 30))).toEqual(['posted']);
    expect(await readAccount(payer)).toEqual({
      balance: '970000000',
      held: '0',
      used: '30000000',
      token_held: '0',
      entries: [['charge', '-30000000', '970000000']],
    });
  });

  it('posts a batch of one wallet with a running balance, one entry for each call', async () => {
    const payer = await seedPayer(database, { balance: USD, price: PRICE });
    const requests = Array.from({ length: 9 }, () => buildHoldRequest(payer));
    await ledger.openHolds(requests);
    await post(...requests.map((request) => row(request, 10)));
    const { balance, entries } = await readAccount(payer);
    expect(balance).toBe('910000000');
    expect(entries.map((entry: string[]) => entry[2])).toEqual(
      [99, 98, 97, 96, 95, 94, 93, 92, 91].map((cents) => `${cents}0000000`),
    );
  });

  it('posts a call once, however often and wherever its row is posted', async () => {
    const { payer, request } = await startCall();
    await writeJournal(database, [row(request, 30), row(request, 30, { seq: 1 })]);
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => journal.postWaiting({ limit: 500, wait: index % 2 === 0 })),
    );
    expect(await post(row(request, 30, { seq: 2 }))).toEqual(['repeated']);
    expect((await readAccount(payer)).entries).toHaveLength(1);
  });

  it('charges more than was held, and more than there is, rather than lose usage', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 1_500))).toEqual(['posted']);
    expect(await readAccount(payer)).toMatchObject({ balance: '-500000000', held: '0' });
    expect((await ledger.openHolds([buildHoldRequest(payer, { wanted: 0n, minimum: 0n })]))[0]).toMatchObject(
      {
        refused: 'insufficient_balance',
      },
    );
  });

  it('writes no entry for a call that cost nothing', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 0))).toEqual(['posted']);
    expect(await readAccount(payer)).toMatchObject({ balance: '1000000000', held: '0', entries: [] });
  });

  it('releases a cancelled call, and charges late when it turns out to have been served', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 0, { phase: 'cancel' }))).toEqual(['voided']);
    expect(await readAccount(payer)).toMatchObject({ balance: '1000000000', held: '0', token_held: '0' });
    expect(await post(row(request, 30))).toEqual(['late_charge']);
    expect(await post(row(request, 30, { seq: 1 }))).toEqual(['repeated']);
    expect(await readAccount(payer)).toMatchObject({
      used: '30000000',
      entries: [['late_charge', '-30000000', '970000000']],
    });
  });

  it('corrects an estimate once when the real figure comes, and believes a final figure for good', async () => {
    const { payer, request } = await startCall();
    expect(await post(row(request, 30, { estimated: true }))).toEqual(['posted']);
    expect(await post(row(request, 20, { seq: 1 }))).toEqual(['true_up']);
    expect(await post(row(request, 90, { seq: 2 }))).toEqual(['mismatched']);
    expect(await readAccount(payer)).toMatchObject({
      used: '20000000',
      entries: [
        ['charge', '-30000000', '970000000'],
        ['true_up', '10000000', '980000000'],
      ],
    });
  });

  it('takes the reported usage when an estimate and a cancellation stand beside it', async () => {
    const { payer, request } = await startCall();
    const rows = [
      row(request, 0, { phase: 'cancel' }),
      row(request, 90, { seq: 1, estimated: true }),
      row(request, 30, { seq: 2 }),
      row(request, 10, { phase: 'checkpoint' }),
    ];
    expect(await post(...rows)).toEqual(['posted']);
    expect((await readAccount(payer)).entries).toEqual([['charge', '-30000000', '970000000']]);
  });

  it('is not held up by rows that cannot be posted', async () => {
    const { payer, request } = await startCall();
    const { request: unpriceable } = await startCall({ price: { per_request: 'free' } });
    const { request: absurd } = await startCall({ price: { per_image: '999999999' } });
    const rich = await seedPayer(database, { balance: USD, price: { per_image: '9000000' } });
    const [enormous, overflowing] = [buildHoldRequest(rich), buildHoldRequest(rich)];
    await ledger.openHolds([enormous, overflowing]);
    const outcomes = await post(
      row(unpriceable, 1),
      row(absurd, 0, images(100_000_000)),
      row(enormous, 0, images(1_000)),
      row(overflowing, 0, images(1_000)),
      row({ ...request, id: newId() }, 30),
      row(request, 30),
    );
    expect(outcomes.sort()).toEqual(['failed', 'failed', 'failed', 'failed', 'posted', 'posted']);
    expect((await readAccount(payer)).balance).toBe('970000000');
    expect((await journal.postWaiting({ limit: 500, wait: false })).taken).toBe(0);
    const failures: { failure: string }[] = await database.query(
      'select failure from usage_journal where failure is not null order by failure',
    );
    expect(failures.map((kept) => kept.failure)).toEqual([
      expect.stringContaining('"free" is not an amount in USD'),
      'bigint out of range',
      expect.stringContaining('no hold'),
      'the charge is beyond what the ledger can hold',
    ]);
  });
});

describe('voiding and refunding', () => {
  it('voids an open hold once', async () => {
    const { payer, request } = await startCall();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => ledger.voidHold(request.id)));
    expect(outcomes.sort()).toEqual(['repeated', 'repeated', 'repeated', 'repeated', 'voided']);
    expect(await ledger.voidHold(newId())).toBe('unknown');
    expect(await readAccount(payer)).toMatchObject({ held: '0', entries: [] });
  });

  it('refunds a charge once, with the token quota', async () => {
    const { payer, request } = await startCall({ quota: USD });
    await expect(ledger.refund(request.id, 'failed')).rejects.toMatchObject({ code: 'conflict' });
    await post(row(request, 30));
    const refunds = await Promise.all(Array.from({ length: 5 }, () => ledger.refund(request.id, 'failed')));
    expect(new Set(refunds)).toEqual(new Set([30_000_000n]));
    expect(await readAccount(payer)).toMatchObject({
      balance: '1000000000',
      used: '0',
      entries: [
        ['charge', '-30000000', '970000000'],
        ['refund', '30000000', '1000000000'],
      ],
    });
    await expect(ledger.refund(newId(), 'failed')).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('has left the ledger balanced', async () => {
  expect(await ledger.findDrift()).toEqual([]);
});
