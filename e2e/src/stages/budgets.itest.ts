import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntil } from '../wait-until.js';
import { askStage, knowModel } from './ask-stage.js';
import { type Caller, type LeaseMode, type StageFleet, startStageFleet } from './stage-fleet.js';

const WITHIN_MS = 30_000;
const CALLERS = 8;
/** The places of the gateways that calls go to in turn. */
const PLACES: Readonly<Record<LeaseMode, readonly number[]>> = { on: [0, 1, 2, 3], off: [4, 5] };
const CUT_OFF_MS = 1_000;

let fleet: StageFleet;
beforeAll(async () => {
  fleet = await startStageFleet({ leases: ['on', 'on', 'on', 'on', 'off', 'off'], canCutRedis: true });
});
afterAll(() => fleet.stop());

/**
 * So many calls by a few callers who never rest, in turn to each gateway; answers their statuses. What a gateway cannot decide
 * on (503) is asked again, as SDKs do.
 */
async function load(caller: Caller, calls: number, mode: LeaseMode = 'on'): Promise<number[]> {
  const places = PLACES[mode];
  const statuses: number[] = [];
  let begun = 0;
  const callOnAndOn = async () => {
    while (begun < calls) statuses.push(await askUntilDecided(caller, places[begun++ % places.length]));
  };
  await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
  return statuses;
}

async function askUntilDecided(caller: Caller, gateway: number | undefined): Promise<number> {
  return waitUntil('a decision', async () => {
    const { status } = await askStage(fleet, caller, gateway);
    return status !== 503 && status;
  });
}

const countOf = (statuses: readonly number[], status: number) =>
  statuses.filter((one) => one === status).length;

/** Waits until so many calls of a caller are charged, and nothing is held for others. */
async function waitForCharges({ walletId }: Caller, charges: number): Promise<void> {
  await waitUntil(
    'every charge is booked',
    async () => {
      const [row] = await fleet.query<{ charges: number; held: string }>(
        `select w.held, (select count(*) from entry e where e.wallet_id = w.id and e.kind = 'charge')::int as charges
           from wallet w where w.id = $1`,
        [walletId],
      );
      return row?.held === '0' && row.charges === charges;
    },
    WITHIN_MS,
  );
}

describe('a budget, over several gateways', () => {
  it.each([
    { subject: 'token', mode: 'on' },
    { subject: 'wallet', mode: 'on' },
    { subject: 'wallet', mode: 'off' },
  ] as const)(
    'of a $subject for ninety calls passes exactly ninety with leases $mode, and reports 80 and 100 per cent',
    async ({ subject, mode }) => {
      const caller = await fleet.addCaller(10_000, [`budget-of-${subject}-${mode}`]);
      await knowModel(fleet, caller);
      // With leases, all gateways have some of the ample wallet before there is a budget.
      expect(countOf(await load(caller, 60, mode), 200)).toBe(60);
      // A charge counts in the budget that there is when it is booked.
      await waitForCharges(caller, 60);
      const id = subject === 'token' ? caller.tokenId : caller.walletId;
      const update = `update ${subject} set budgets = '{"month": "9"}' where id = $1`;
      await fleet.query(update, [id]);
      const statuses = await load(caller, 240, mode);
      const passed = countOf(statuses, 200);
      expect(passed + countOf(statuses, 429)).toBe(240);
      await waitForCharges(caller, 60 + passed);
      const [spent] = await fleet.query<{ spent: string; reached: number }>(
        'select spent, reached from budget where subject_id = $1',
        [id],
      );
      expect(spent).toMatchObject({ spent: '9000000000', reached: 100 });
      expect(passed).toBe(90);
      expect(await fleet.query('select * from money_drift()')).toEqual([]);
      const { status, headers, code } = await askStage(fleet, caller, PLACES[mode][1]);
      expect([status, code]).toEqual([429, 'budget_exceeded']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  it('passes no more than it covers where Redis is cut off under load', async () => {
    const caller = await fleet.addCaller(10_000, ['budget-under-a-cut']);
    await knowModel(fleet, caller);
    await fleet.query(`update token set budgets = '{"month": "9"}' where id = $1`, [caller.tokenId]);
    const before = fleet.upstream.calls.length;
    const loading = load(caller, 240);
    await waitUntil('calls are served', () => fleet.upstream.calls.length >= before + 20, WITHIN_MS);
    await fleet.redis?.cut();
    await sleep(CUT_OFF_MS);
    await fleet.redis?.mend();
    const statuses = await loading;
    const passed = countOf(statuses, 200);
    expect(passed + countOf(statuses, 429)).toBe(240);
    expect(passed).toBeGreaterThanOrEqual(20);
    expect(passed).toBeLessThanOrEqual(90);
    const spent = await waitUntil(
      'every charge is booked',
      async () => {
        const [row] = await fleet.query<{ spent: string; charges: number }>(
          `select b.spent, (select count(*) from entry e where e.wallet_id = $2 and e.kind = 'charge')::int as charges
             from budget b where b.subject_id = $1`,
          [caller.tokenId, caller.walletId],
        );
        return row?.charges === passed && row.spent;
      },
      WITHIN_MS,
    );
    expect(BigInt(spent)).toBe(BigInt(passed) * 100_000_000n);
    expect(await fleet.query('select * from money_drift()')).toEqual([]);
  });
});
