import { type HoldRequest, type JournalPhase, newId, NO_USAGE } from '@mg/contract';
import { askHold, type Payer, seedPayer, startTestServices, type TestServices } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { openDatabase } from '../open-database.js';
import { JournalLedger } from './post-journal.js';
import { WalletLedger } from './wallet-ledger.js';

const WORKERS = 16;
const STEPS = 200;
const SEED = Date.now() % 1_000_000;

let services: TestServices;
let database: DataSource;
let ledger: WalletLedger;
let journal: JournalLedger;

beforeAll(async () => {
  services = await startTestServices();
  database = await openDatabase({ url: services.databaseUrl, poolSize: 20, applicationName: 'bank-test' });
  ledger = new WalletLedger(database);
  journal = new JournalLedger(database);
});

afterAll(async () => {
  await database.destroy();
  await services.stop();
});

/** Small, fast and repeatable: a failing seed can be run again. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % sides;
  };
}

/** One worker: a gateway that opens, settles, repeats itself, dies and comes back, beside a cashier. */
async function work(worker: number, payers: readonly Payer[]): Promise<void> {
  const roll = createDice(SEED + worker * 7_919);
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item;
  const owner = { instance: `gateway-${worker}`, epoch: newId() };
  const asked: HoldRequest[] = [askHold(pick(payers), { owner })];

  const append = async (phase: JournalPhase): Promise<void> => {
    const usage = { ...NO_USAGE, outputTokens: roll(100) };
    const row = { requestId: pick(asked).id, seq: roll(3), phase, usage, estimated: roll(4) === 0 };
    await writeJournal(database, [row, row]);
  };
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const requests = Array.from({ length: 1 + roll(6) }, () =>
        askHold(pick(payers), {
          owner: { ...owner },
          wanted: BigInt(roll(200) * 1_000_000),
          minimum: 1_000_000n,
        }),
      );
      asked.push(...requests);
      await ledger.openHolds(requests);
    },
    () => ledger.openHolds([pick(asked)]),
    () => append('usage'),
    () => append('usage'),
    () => append('checkpoint'),
    () => append('cancel'),
    () => journal.postWaiting({ limit: 1 + roll(50), wait: roll(2) === 0 }),
    () => ledger.voidHold(pick(asked).id),
    () => ledger.refund(pick(asked).id, 'test').catch(() => undefined),
    () =>
      ledger
        .topUp({
          walletId: pick(payers).walletId,
          amount: BigInt(roll(9) * 50_000_000 - 100_000_000 || 1),
          note: '',
          idempotencyKey: `key-${roll(40)}`,
        })
        .catch(() => undefined),
    async () => {
      if (roll(4) === 0) owner.epoch = newId();
      await ledger.recordHeartbeat(owner);
    },
    () => ledger.sweep(50),
    async () => expect(await ledger.findDrift(), `seed ${SEED}`).toEqual([]),
  ];
  for (let step = 0; step < STEPS; step++) await pick(actions)();
}

it(`keeps the books straight through ${WORKERS * STEPS} mixed operations at once (seed ${SEED})`, async () => {
  const payers = await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      seedPayer(database, {
        balance: 2_000_000_000n,
        price: { output_per_million: '1000' },
        ...(index % 2 === 0 ? { quota: 3_000_000_000n } : {}),
      }),
    ),
  );
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker, payers)));

  while ((await journal.postWaiting({ limit: 500, wait: true })).taken > 0);
  for (let worker = 0; worker < WORKERS; worker++) {
    await ledger.recordHeartbeat({ instance: `gateway-${worker}`, epoch: newId() });
    await ledger.recordHeartbeat({ instance: `gateway-${worker}`, epoch: newId() });
  }
  while ((await ledger.sweep(500)).length > 0);

  expect(await ledger.findDrift()).toEqual([]);
  expect(await ledger.totalOpenHolds()).toMatchObject({ count: 0, amount: 0n });
  const [counts] = await database.query(
    `select count(*) filter (where kind in ('charge', 'late_charge') and n > 1) as charged_twice,
            count(*) filter (where kind = 'charge') as charges
       from (select request_id, min(kind) as kind, count(*) as n from entry
              where wallet_id is not null and kind in ('charge', 'late_charge') group by request_id) e`,
  );
  expect(counts.charged_twice).toBe('0');
  expect(Number(counts.charges)).toBeGreaterThan(20);
});
