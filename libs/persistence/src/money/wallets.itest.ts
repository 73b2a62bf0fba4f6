import { newId } from '@mg/contract';
import { buildHoldRequest, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { WalletLedger } from './wallet-ledger.js';

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new WalletLedger(database);
});

afterAll(() => test.stop());

async function readEntries(walletId: string): Promise<unknown> {
  return database.query(
    `select kind, amount, balance_after, note from entry where wallet_id = $1 order by id`,
    [walletId],
  );
}

describe('topping up', () => {
  it('credits once for each key, also when asked twenty times at once', async () => {
    const { walletId } = await seedPayer(database, { balance: 0n });
    const request = { walletId, amount: 5n, note: 'card', idempotencyKey: 'k1' };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ledger.topUp(request)));
    expect(new Set(outcomes.map((outcome) => `${outcome.entryId} ${outcome.balance}`)).size).toBe(1);
    expect(await readEntries(walletId)).toEqual([
      { kind: 'topup', amount: '5', balance_after: '5', note: 'card' },
    ]);
  });

  it('lets two wallets use the same key', async () => {
    const [first, second] = [
      await seedPayer(database, { balance: 0n }),
      await seedPayer(database, { balance: 0n }),
    ];
    for (const { walletId } of [first, second]) {
      const outcome = await ledger.topUp({ walletId, amount: 7n, note: '', idempotencyKey: 'same' });
      expect(outcome.balance).toBe(7n);
    }
  });

  it('refuses the key for another amount, and an unknown wallet', async () => {
    const { walletId } = await seedPayer(database, { balance: 0n });
    await ledger.topUp({ walletId, amount: 5n, note: '', idempotencyKey: 'k' });
    await expect(
      ledger.topUp({ walletId, amount: -5n, note: '', idempotencyKey: 'k' }),
    ).rejects.toMatchObject({
      code: 'idempotency_conflict',
    });
    await expect(
      ledger.topUp({ walletId: newId(), amount: 5n, note: '', idempotencyKey: 'k' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('books a negative amount as an adjustment', async () => {
    const { walletId } = await seedPayer(database, { balance: 7n });
    expect((await ledger.topUp({ walletId, amount: -5n, note: 'error', idempotencyKey: 'k' })).balance).toBe(
      2n,
    );
    expect(await readEntries(walletId)).toEqual([
      { kind: 'topup', amount: '7', balance_after: '7', note: 'opening balance' },
      { kind: 'adjust', amount: '-5', balance_after: '2', note: 'error' },
    ]);
  });
});

describe('F13: adjustments and the credit limit', () => {
  const takeOut = (walletId: string, amount: bigint, idempotencyKey: string) =>
    ledger.topUp({ walletId, amount: -amount, note: '', idempotencyKey });

  it('takes out what is available and no more', async () => {
    const payer = await seedPayer(database, { balance: 100n });
    await ledger.openHolds([buildHoldRequest(payer, { wanted: 30n, minimum: 30n })]);
    await expect(takeOut(payer.walletId, 71n, 'a')).rejects.toMatchObject({
      code: 'insufficient_balance',
      param: 'amount',
      message: 'The wallet has 0.00000007 USD available.',
    });
    expect((await takeOut(payer.walletId, 70n, 'a')).balance).toBe(30n);
    expect((await takeOut(payer.walletId, 70n, 'a')).balance).toBe(30n);
    await expect(takeOut(payer.walletId, 1n, 'b')).rejects.toMatchObject({ code: 'insufficient_balance' });
  });

  it('of 20 adjustments at once lets through those that the wallet covers', async () => {
    const { walletId } = await seedPayer(database, { balance: 50n });
    const taken = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => takeOut(walletId, 10n, `k${index}`)),
    );
    expect(taken.filter((one) => one.status === 'fulfilled')).toHaveLength(5);
  });

  it('lets a wallet go below zero by its credit limit, for calls and for adjustments', async () => {
    const payer = await seedPayer(database, { balance: 100n });
    expect(await ledger.limitCredit(payer.walletId, 50n)).toBe(0n);
    expect(await ledger.limitCredit(payer.walletId, 50n)).toBe(50n);
    expect(await ledger.openHolds([buildHoldRequest(payer, { wanted: 151n, minimum: 151n })])).toMatchObject([
      { refused: 'insufficient_balance', message: expect.stringContaining('0.00000015 USD') },
    ]);
    const [granted] = await ledger.openHolds([buildHoldRequest(payer, { wanted: 500n, minimum: 120n })]);
    expect(granted).toEqual({ granted: 150n });
    await ledger.limitCredit(payer.walletId, 0n);
    await expect(takeOut(payer.walletId, 1n, 'a')).rejects.toMatchObject({ code: 'insufficient_balance' });
    await expect(ledger.limitCredit(newId(), 1n)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps a balance inside what a figure can hold, and says which field was too large', async () => {
    const { walletId } = await seedPayer(database, { balance: 0n });
    const most = 999_999_999_999_999_999n;
    for (let index = 0; index < 8; index++) {
      await ledger.topUp({ walletId, amount: most, note: '', idempotencyKey: `${index}` });
    }
    await expect(
      ledger.topUp({ walletId, amount: most, note: '', idempotencyKey: 'one more' }),
    ).rejects.toMatchObject({ code: 'invalid_request', param: 'amount' });
  });
});

describe('opening a wallet', () => {
  it('credits the opening balance once, however often and with whatever figure it is asked again', async () => {
    const wallet = { name: 'acme', userId: undefined };
    const ids = await Promise.all(
      [25n, 25n, 25n, 25n, 90n].map((openingBalance) =>
        ledger.openWallet({ ...wallet, id: newId(), openingBalance }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await readEntries(ids[0] ?? '')).toHaveLength(1);
  });

  it('leaves a wallet without opening balance empty', async () => {
    const walletId = await ledger.openWallet({
      id: newId(),
      name: 'empty',
      userId: undefined,
      openingBalance: 0n,
    });
    expect(await readEntries(walletId)).toEqual([]);
  });
});

describe('the ledger', () => {
  it('cannot be rewritten', async () => {
    await seedPayer(database, { balance: 3n });
    await expect(database.query('update entry set amount = 0')).rejects.toThrow('never changed');
    await expect(database.query('delete from entry')).rejects.toThrow('never changed');
    expect(await ledger.findDrift()).toEqual([]);
  });

  it('report every figure that is not the sum of its rows', async () => {
    const payer = await seedPayer(database, { balance: 3n });
    await database.query('update wallet set balance = 4, held = 1 where id = $1', [payer.walletId]);
    await database.query('update token set used = 2, held = 3 where id = $1', [payer.tokenId]);
    expect((await ledger.findDrift()).map((row) => [row.what, row.expected, row.actual])).toEqual([
      ['wallet.balance', '3', '4'],
      ['wallet.held', '0', '1'],
      ['token.held', '0', '3'],
      ['token.used', '0', '2'],
    ]);
  });
});
