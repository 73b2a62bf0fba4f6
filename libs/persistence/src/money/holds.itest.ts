import { type HoldRequest, newId } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import type { HoldDecision } from './hold-decision.js';
import { WalletLedger } from './wallet-ledger.js';

const UNIT = 100_000_000n;

let test: TestDatabase;
let database: DataSource;
let ledger: WalletLedger;

beforeAll(async () => {
  test = await openTestDatabase(16);
  ({ database } = test);
  ledger = new WalletLedger(database);
});

afterAll(() => test.stop());

/** Another key of the same wallet: nothing but the wallet makes their calls wait for each other. */
async function seedToken(payer: Payer): Promise<string> {
  const tokenId = newId();
  await database.query(
    `insert into token (id, name, user_id, wallet_id, key_hash, key_prefix, key_last4)
     values ($1::uuid, $1::text, $2, $3, $1::text, 'sk-', 'last')`,
    [tokenId, payer.userId, payer.walletId],
  );
  return tokenId;
}

/** As a gateway does: what could not be decided at the moment is asked for again by its same id. */
async function askWhileBusy(batch: readonly HoldRequest[]): Promise<HoldDecision[]> {
  const decisions = await ledger.openHolds(batch);
  const busy = batch.filter((_, index) => 'busy' in (decisions[index] ?? {}));
  const decided = decisions.filter((decision) => !('busy' in decision));
  return busy.length === 0 ? decided : [...decided, ...(await askWhileBusy(busy))];
}

const fifty = Array.from({ length: 50 });

describe('opening holds', () => {
  it.each([
    ['the wallet', { balance: 10n * UNIT }, 'insufficient_balance'],
    ['the token quota', { balance: 1_000n * UNIT, quota: 10n * UNIT }, 'quota_exceeded'],
  ] as const)('admits exactly what %s covers, 50 calls at once', async (_name, options, refusal) => {
    const payer = await seedPayer(database, options);
    const decisions = (
      await Promise.all(fifty.map(() => ledger.openHolds([buildHoldRequest(payer)])))
    ).flat();
    expect(decisions.filter((decision) => 'granted' in decision)).toHaveLength(10);
    expect(
      decisions.filter((decision) => 'refused' in decision && decision.refused === refusal),
    ).toHaveLength(40);
  });

  it('counts what is held for lines in batches of providers apart from calls', async () => {
    const countOf = async (wanted: string) =>
      (await ledger.totalOpenHolds()).find(({ kind }) => kind === wanted)?.count ?? 0;
    const before = [await countOf('call'), await countOf('batch')];
    const payer = await seedPayer(database, { balance: UNIT });
    await ledger.openHolds([buildHoldRequest(payer, { owner: { instance: 'batch', epoch: 'batch_1' } })]);
    expect([await countOf('call'), (await countOf('batch')) - 1]).toEqual(before);
  });

  it('admits exactly what the wallet covers, 50 calls at once of 50 tokens', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const tokenIds = await Promise.all(fifty.map(() => seedToken(payer)));
    const decisions = (
      await Promise.all(tokenIds.map((tokenId) => ledger.openHolds([buildHoldRequest(payer, { tokenId })])))
    ).flat();
    expect(decisions.filter((decision) => 'granted' in decision)).toHaveLength(10);
  });

  it.each([
    ['there', { balance: 7n * UNIT }],
    ['left of the token quota', { balance: 1_000n * UNIT, quota: 7n * UNIT }],
  ] as const)('admits exactly what is %s when the calls come in batches', async (_name, options) => {
    const payer = await seedPayer(database, options);
    const batches = Array.from({ length: 5 }, () =>
      Array.from({ length: 10 }, () => buildHoldRequest(payer)),
    );
    const decisions = (await Promise.all(batches.map((batch) => ledger.openHolds(batch)))).flat();
    expect(decisions.filter((decision) => 'granted' in decision)).toHaveLength(7);
  });

  it('admits exactly what each wallet covers when their calls come mixed', async () => {
    const payers = await Promise.all(
      fifty.slice(0, 3).map(() => seedPayer(database, { balance: 2n * UNIT })),
    );
    const mixed = fifty.slice(0, 5).flatMap(() => payers.map((payer) => buildHoldRequest(payer)));
    const decisions = await ledger.openHolds(mixed);
    const granted = mixed.filter((_, place) => 'granted' in (decisions[place] ?? {}));
    expect(payers.map(({ walletId }) => granted.filter((call) => call.walletId === walletId).length)).toEqual(
      [2, 2, 2],
    );
  });

  it('holds once however often the same id asks', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    const request = buildHoldRequest(payer);
    const decisions = await Promise.all(fifty.map(() => ledger.openHolds([request])));
    expect(new Set(decisions.map(([decision]) => JSON.stringify(decision, bigintText)))).toEqual(
      new Set([JSON.stringify({ granted: UNIT }, bigintText)]),
    );
    expect((await ledger.openHolds([buildHoldRequest(payer, { wanted: 1n, minimum: 1n })]))[0]).toMatchObject(
      {
        refused: 'insufficient_balance',
      },
    );
  });

  it('grants what is left when that is enough, and names the figures when it is not', async () => {
    const payer = await seedPayer(database, { balance: 3n * UNIT });
    const [granted] = await ledger.openHolds([buildHoldRequest(payer, { wanted: 5n * UNIT })]);
    expect(granted).toEqual({ granted: 3n * UNIT });
    const [refused] = await ledger.openHolds([buildHoldRequest(payer)]);
    expect(refused).toEqual({
      refused: 'insufficient_balance',
      message: 'This call may cost 0.1 USD and the wallet has 0 USD available.',
    });
  });

  it('lets a faulty question fail alone', async () => {
    const payer = await seedPayer(database, { balance: 10n * UNIT });
    const decisions = await ledger.openHolds([
      buildHoldRequest(payer),
      buildHoldRequest(payer, { priceVersionId: newId() }),
      buildHoldRequest(payer, { walletId: newId() }),
      buildHoldRequest(payer, { tokenId: newId() }),
      buildHoldRequest(payer),
    ]);
    expect(decisions).toEqual([
      { granted: UNIT },
      expect.objectContaining({ failed: 'internal_error' }),
      expect.objectContaining({ failed: 'service_unavailable' }),
      expect.objectContaining({ failed: 'service_unavailable' }),
      { granted: UNIT },
    ]);
  });

  it('does not block two batches that name the same wallets in opposite order', async () => {
    const payers = await Promise.all(
      fifty.slice(0, 8).map(() => seedPayer(database, { balance: 1_000n * UNIT })),
    );
    const batches = fifty.map((_, index) => {
      const batch = payers.map((payer) => buildHoldRequest(payer));
      return index % 2 === 0 ? batch : batch.toReversed();
    });
    const decisions = (await Promise.all(batches.map(askWhileBusy))).flat();
    expect(decisions.every((decision) => 'granted' in decision)).toBe(true);
  });

  it('refuses a call that was given up before its question arrived', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    const request = buildHoldRequest(payer);
    await database.query(
      `insert into usage_journal (request_id, seq, phase, usage) values ($1, 0, 'cancel', '{}')`,
      [request.id],
    );
    expect((await ledger.openHolds([request]))[0]).toMatchObject({ failed: 'conflict' });
  });

  it('lets another process go on with a call whose first process died', async () => {
    const payer = await seedPayer(database, { balance: UNIT });
    const request = buildHoldRequest(payer);
    const successor = { ...request, owner: { instance: 'gateway-1', epoch: 'b' } };
    await ledger.openHolds([request]);
    expect(await ledger.openHolds([successor])).toEqual([{ granted: UNIT }]);
    await ledger.voidHold(request.id);
    expect((await ledger.openHolds([successor]))[0]).toMatchObject({ failed: 'conflict' });
    expect(await ledger.openHolds([{ ...request, owner: { instance: 'gateway-2', epoch: 'c' } }])).toEqual([
      { granted: UNIT },
    ]);
  });
});

it('has left the ledger balanced', async () => {
  expect(await ledger.findDrift()).toEqual([]);
});

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
