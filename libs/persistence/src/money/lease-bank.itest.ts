import type { HoldOwner, JournalRow } from '@mg/contract';
import { buildHoldRequest } from '@mg/testkit';
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { createDice, type Dice } from '../testing/create-dice.js';
import { LeaseBank, type LeaseScene, MILLI, USD } from '../testing/lease-bank.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';

const WORKERS = 8;
const STEPS = 40;
/** What every worker does follows from it. */
const SEED = Number(process.env.BANK_SEED ?? Date.now() % 1_000_000);

let test: TestDatabase;
let bank: LeaseBank;

beforeAll(async () => {
  test = await openTestDatabase(16);
  bank = new LeaseBank(test.database);
});

afterAll(() => test.stop());

/** Leases of two wallets, one of which is soon short of money. */
async function openLeases(): Promise<{ readonly owner: HoldOwner; readonly scenes: readonly LeaseScene[] }> {
  const payers = [await bank.setUp({ balance: 50n * USD }), await bank.setUp({ balance: 3n * USD })];
  const owner = await bank.startGateway();
  const scenes = [...payers, ...payers, ...payers].map(({ payer }) => ({
    payer,
    owner,
    request: bank.ask(payer),
  }));
  for (const { request } of scenes) await bank.open(owner, request);
  return { owner, scenes };
}

/** One step of a worker. Calls whose usage was written are added to `written`. */
async function act(roll: Dice, scene: LeaseScene, written: JournalRow[]): Promise<void> {
  const { payer, owner } = scene;
  const row = bank.rowOf(scene, 1 + roll(60));
  const checkpoint: JournalRow = { ...row, seq: 0, phase: 'checkpoint', estimated: true };
  const again = written[roll(written.length + 1)];
  switch (roll(8)) {
    case 0:
      await writeJournal(bank.database, [checkpoint, row]);
      written.push(row);
      return;
    case 1:
      await bank.post(checkpoint);
      await bank.post(row);
      written.push(row);
      return;
    case 2:
      await bank.post(row, ...(again ? [again] : []));
      written.push(row);
      return;
    case 3:
      await bank.post(checkpoint, { ...row, phase: 'cancel' });
      return;
    case 4:
      await bank.giveBack(scene, BigInt(roll(100)) * MILLI, roll(3) === 0);
      return;
    case 5:
      await bank.leases.sweep(100);
      return;
    case 6:
      await bank.wallets.openHolds([buildHoldRequest(payer, { owner })]);
      return;
    default:
      await bank.open(owner, bank.ask(payer));
  }
}

/** As if the gateway had been killed: what waits is posted, and the rest is swept. */
async function endOwner(): Promise<void> {
  await bank.startGateway();
  await bank.database.query(`update lease set admit_until = now() - interval '1 second'`);
  await bank.database.query('update usage_journal set retry_at = null');
  while ((await bank.post()).length > 0);
  while ((await bank.leases.sweep(100)).length + (await bank.wallets.sweep(100)).length > 0);
}

it(`keeps the ledger balanced through ${WORKERS * STEPS} steps of leases and calls at once (seed ${SEED})`, async () => {
  onTestFailed(() => void process.stderr.write(`Run it again with BANK_SEED=${SEED}\n`));
  const { scenes } = await openLeases();
  const written: JournalRow[] = [];
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    const roll = createDice(SEED + worker * 7_919);
    for (let step = 0; step < STEPS; step++) {
      const scene = scenes[roll(scenes.length)];
      if (scene) await act(roll, scene, written);
    }
  });
  await Promise.all(workers);
  await bank.expectNoDrift();
  await endOwner();
  await bank.expectNoDrift();
  expect(await bank.database.query('select id from wallet where held <> 0')).toEqual([]);
  const once = await bank.database.query<{ request_id: string }[]>(
    `select request_id from entry
      where wallet_id is not null and kind in ('charge', 'late_charge') and request_id = any ($1)
      group by 1 having count(*) = 1`,
    [written.map(({ requestId }) => requestId)],
  );
  expect(once).toHaveLength(written.length);
});
