import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MoneyFleet, startMoneyFleet } from './money-fleet.js';
import { runLastDollar } from './run-last-dollar.js';
import { runMoneyDrill } from './run-money-drill.js';

const CALLS = Number(process.env.DRILL_CALLS ?? 100);
/** One of each kind of process. */
const KILLS = Number(process.env.DRILL_KILLS ?? 5);
const ROUNDS = Number(process.env.DRILL_ROUNDS ?? 2);
const GATEWAYS = Number(process.env.DRILL_GATEWAYS ?? 2);
const SEED = Number(process.env.DRILL_SEED ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 300_000 + KILLS * 20_000 + ROUNDS * 30_000;

describe(`money under kills (seed ${SEED})`, () => {
  let fleet: MoneyFleet;
  beforeAll(async () => {
    const { LEASES } = process.env;
    const gatewayVariables: Record<string, string> = LEASES === undefined ? {} : { LEASES };
    fleet = await startMoneyFleet({ seed: SEED, gateways: GATEWAYS, gatewayVariables });
  });
  afterAll(() => fleet.stop());
  // oxlint-disable-next-line no-console -- the drill of `npm run drill:money` is watched while it runs
  const say = (line: string) => process.env.DRILL_KILLS && console.log(line);

  it.runIf(ROUNDS > 0)(
    `of ${ROUNDS} times 500 parallel calls on the last dollar exactly those pass that are covered`,
    async () => {
      const report = await runLastDollar(fleet, { rounds: ROUNDS, seed: SEED, say });
      say(JSON.stringify(report));
      expect(report.faults).toEqual([]);
      expect(report.leased > 0).toBe(process.env.LEASES !== 'off');
    },
    TIMEOUT_MS,
  );

  it.runIf(CALLS > 0)(
    `of ${CALLS} calls, with top-ups and videos, each has one end and its exact price through ${KILLS} kills`,
    async () => {
      const report = await runMoneyDrill(fleet, { calls: CALLS, kills: KILLS, seed: SEED, say });
      say(JSON.stringify(report, null, 2));
      expect(report.faults).toEqual([]);
      expect(report.drift).toBe('0.000000000');
      expect(report.requests.answered).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
