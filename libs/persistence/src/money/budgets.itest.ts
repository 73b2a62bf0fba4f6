import { newId, type JournalRow, NO_USAGE } from '@mg/contract';
import { buildHoldRequest, type Payer, seedPayer } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LeaseBank, MILLI, USD } from '../testing/lease-bank.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { BudgetLedger } from './budget-ledger.js';
import type { HoldDecision } from './hold-decision.js';

/** Calls that ask at once. */
const CALLS = 300;
const WORST = 40n * MILLI;

let test: TestDatabase;
let bank: LeaseBank;

beforeAll(async () => {
  test = await openTestDatabase(16);
  bank = new LeaseBank(test.database);
});
afterAll(() => test.stop());
afterEach(() => bank.expectNoDrift());

type Subject = 'token' | 'wallet' | 'user';
const TABLES = { token: 'token', wallet: 'wallet', user: 'app_user' } as const;

function idOf({ tokenId, walletId, userId }: Payer, subject: Subject): string {
  return { token: tokenId, wallet: walletId, user: userId }[subject];
}

async function setBudgets(subject: Subject, id: string, budgets: object): Promise<void> {
  await test.database.query(`update ${TABLES[subject]} set budgets = $2 where id = $1`, [
    id,
    JSON.stringify(budgets),
  ]);
}

async function readBudget(id: string, period = 'day') {
  const [row] = await test.database.query<{ spent: string; reached: number }[]>(
    'select spent, reached from budget where subject_id = $1 and period = $2',
    [id, period],
  );
  return row && { spent: BigInt(row.spent), reached: row.reached };
}

function setUp(price = { input_per_million: '1', output_per_million: '1000' }): Promise<Payer> {
  return seedPayer(test.database, { balance: 1_000n * USD, price });
}

function ask(payer: Payer, amount = WORST) {
  return buildHoldRequest(payer, { id: newId(), wanted: amount, minimum: amount });
}

const isGranted = (decision: HoldDecision | undefined) => decision !== undefined && 'granted' in decision;

/** What becomes of a hold; one that could not be decided at the moment is asked for again with its id, as callers do. */
async function decide(request: ReturnType<typeof ask>): Promise<HoldDecision | undefined> {
  for (;;) {
    const [decision] = await bank.wallets.openHolds([request]);
    if (!decision || !('busy' in decision)) return decision;
  }
}

/** Usage of so many thousandths of a dollar. */
function usageOf(payer: Payer, requestId: string, milli: number): JournalRow {
  const { walletId, tokenId, priceVersionId } = payer;
  return {
    requestId,
    seq: 1_000_000,
    phase: 'usage',
    usage: { ...NO_USAGE, outputTokens: milli },
    estimated: false,
    payer: { walletId, tokenId, priceVersionId },
  };
}

describe('a budget', () => {
  it.each(['token', 'wallet', 'user'] as const)(
    `of a %s lets ${CALLS} calls at once spend exactly what it has`,
    async (subject) => {
      const payer = await setUp();
      const id = idOf(payer, subject);
      await setBudgets(subject, id, { day: '4', month: '100', timezone: 'Asia/Kathmandu' });
      const requests = Array.from({ length: CALLS }, () => ask(payer));
      const decisions = await Promise.all(requests.map(decide));
      const granted = requests.filter((_, index) => isGranted(decisions[index]));
      expect(granted).toHaveLength(100);
      const refused = decisions.find((decision) => !isGranted(decision));
      expect(refused).toMatchObject({
        refused: 'budget_exceeded',
        message: `This call may cost 0.04 USD and the ${subject}'s budget of the day has 0 USD left.`,
      });
      expect(refused && 'retryAfter' in refused && refused.retryAfter).toBeGreaterThan(0);
      await bank.post(...granted.map(({ id: requestId }) => usageOf(payer, requestId, 30)));
      expect(await readBudget(id)).toEqual({ spent: 3n * USD, reached: 100 });
      expect(await readBudget(id, 'month')).toEqual({ spent: 3n * USD, reached: 0 });
      const more = await Promise.all(Array.from({ length: CALLS }, () => decide(ask(payer))));
      expect(more.filter(isGranted)).toHaveLength(25);
    },
  );

  it('of a user is one for all of their wallets', async () => {
    const payers = [await setUp(), await setUp(), await setUp()];
    const [first] = payers;
    if (!first) throw new Error('no payer');
    for (const { walletId } of payers) {
      await test.database.query('select wallet_assign($1, $2)', [walletId, first.userId]);
    }
    await setBudgets('user', first.userId, { week: '2' });
    const decisions = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => {
        const payer = payers[index % payers.length] ?? first;
        return bank.wallets.openHolds([ask(payer)]);
      }),
    );
    expect(decisions.flat().filter(isGranted)).toHaveLength(50);
  });

  it('holds back one batch as it holds back many', async () => {
    const payer = await setUp();
    await setBudgets('token', payer.tokenId, { day: '0.4' });
    const decisions = await bank.wallets.openHolds(Array.from({ length: 30 }, () => ask(payer)));
    expect(decisions.filter(isGranted)).toHaveLength(10);
  });

  it('cuts leases, and near it there are none', async () => {
    const scene = await bank.setUp({ balance: 1_000n * USD });
    const { payer, owner } = scene;
    await setBudgets('wallet', payer.walletId, { day: '1' });
    const granted = bank.ask(payer, { wanted: USD, worst: 10n * MILLI });
    expect(await bank.open(owner, granted)).toEqual({ granted: 200n * MILLI });
    expect(await bank.open(owner, bank.ask(payer, { worst: 50n * MILLI }))).toEqual({ refused: 'small' });
    const requests = Array.from({ length: CALLS }, () => ask(payer));
    const decisions = await Promise.all(requests.map((request) => bank.wallets.openHolds([request])));
    const held = requests.filter((_, index) => isGranted(decisions[index]?.[0]));
    expect(held).toHaveLength(20);
    const refused = ask(payer);
    await bank.wallets.openHolds([refused]);
    expect([...(await bank.leases.recall([refused]))]).toEqual([refused.id]);
    const leased = Array.from({ length: 5 }, () => bank.rowOf({ ...scene, request: granted }, 40));
    await bank.post(...leased, ...held.map(({ id }) => usageOf(payer, id, 40)));
    expect(await readBudget(payer.walletId)).toEqual({ spent: USD, reached: 100 });
  });

  it('begins again with its period; what is held goes along, and refunds of earlier charges make no room', async () => {
    const payer = await setUp();
    await setBudgets('token', payer.tokenId, { day: '0.1' });
    const [early, running] = [ask(payer), ask(payer)];
    await bank.wallets.openHolds([early, running]);
    await bank.post(usageOf(payer, early.id, 40));
    expect(await readBudget(payer.tokenId)).toEqual({ spent: WORST, reached: 0 });
    await test.database.query(
      `update budget set ends_at = now() - interval '1 hour', starts_at = now() - interval '25 hours' where subject_id = $1`,
      [payer.tokenId],
    );
    await test.database.query('alter table entry disable trigger entry_append_only');
    await test.database.query(
      `update entry set created_at = now() - interval '2 days' where request_id = $1`,
      [early.id],
    );
    await test.database.query('alter table entry enable trigger entry_append_only');
    expect(isGranted((await bank.wallets.openHolds([ask(payer)]))[0])).toBe(true);
    expect(isGranted((await bank.wallets.openHolds([ask(payer)]))[0])).toBe(false);
    await bank.post(usageOf(payer, running.id, 40));
    await bank.wallets.refund(early.id, 'test');
    expect((await readBudget(payer.tokenId))?.spent).toBe(WORST);
    await bank.wallets.refund(running.id, 'test');
    expect((await readBudget(payer.tokenId))?.spent).toBe(0n);
  });

  it('says once that 80 and 100 per cent are reached', async () => {
    const payer = await setUp();
    await setBudgets('token', payer.tokenId, { day: '0.1' });
    const read = async () =>
      (await new BudgetLedger(test.database).takeReached()).filter(
        ({ subjectId }) => subjectId === payer.tokenId,
      );
    expect(await read()).toEqual([]);
    const request = ask(payer, 80n * MILLI);
    await bank.wallets.openHolds([request]);
    await bank.post(usageOf(payer, request.id, 80));
    expect(await read()).toMatchObject([{ subject: 'token', period: 'day', reached: 80 }]);
    expect(await read()).toEqual([]);
    await bank.wallets.openHolds([ask(payer)]);
    expect(await read()).toMatchObject([{ reached: 100 }]);
    expect(await read()).toEqual([]);
  });

  it('keeps what was spent when it is changed, and is gone when it is taken away', async () => {
    const payer = await setUp();
    await setBudgets('token', payer.tokenId, { day: '0.1' });
    const request = ask(payer);
    await bank.wallets.openHolds([request]);
    await bank.post(usageOf(payer, request.id, 40));
    await setBudgets('token', payer.tokenId, { day: '0.05', timezone: 'America/New_York' });
    expect(await readBudget(payer.tokenId)).toEqual({ spent: WORST, reached: 80 });
    await setBudgets('token', payer.tokenId, {});
    expect(await readBudget(payer.tokenId)).toBeUndefined();
    expect(isGranted((await bank.wallets.openHolds([ask(payer)]))[0])).toBe(true);
  });

  it('has days and months by the calendar of its time zone, also where the clocks change', async () => {
    const payer = await setUp();
    await setBudgets('token', payer.tokenId, { day: '1', week: '1', month: '1', timezone: 'Europe/Berlin' });
    const rows = await test.database.query<{ period: string; starts: string; ends: string; now: string }[]>(
      `select period, to_char(starts_at at time zone timezone, 'HH24:MI DD') as starts,
              to_char(ends_at at time zone timezone, 'HH24:MI ID DD') as ends
         from budget where subject_id = $1 order by period`,
      [payer.tokenId],
    );
    expect(rows.find(({ period }) => period === 'week')?.ends).toMatch(/^00:00 1/);
    expect(rows.find(({ period }) => period === 'month')?.starts).toBe('00:00 01');
    expect(rows.find(({ period }) => period === 'day')?.starts).toMatch(/^00:00/);
  });
});
