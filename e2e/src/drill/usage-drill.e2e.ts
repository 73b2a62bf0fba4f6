import { expect, it } from 'vitest';
import { withReplicaFleet } from '../outages/replica-fleet.js';
import { runUsageDrill } from './run-usage-drill.js';

const KILLS = Number(process.env.DRILL_KILLS ?? 1);
/** Off first: what was leased is counted over both. */
const LEASES = ['off', 'on'] as const;
const TIMEOUT_MS = LEASES.length * (120_000 + KILLS * 30_000);

it(
  `F3: of the answers of a gateway that is killed ${KILLS} times none is uncharged, and none is charged twice, with leases off and on`,
  () =>
    withReplicaFleet(async (fleet) => {
      // oxlint-disable-next-line no-console -- the drill of `npm run drill:usage` is watched while it runs
      const say = (line: string) => process.env.DRILL_KILLS && console.log(line);
      for (const leases of LEASES) {
        const report = await runUsageDrill(fleet, { kills: KILLS, leases, say });
        say(JSON.stringify(report));
        expect(report.faults, `leases ${leases}`).toEqual([]);
        expect(report.answered.whole).toBeGreaterThan(0);
        expect(report.answered.streamed).toBeGreaterThan(0);
        expect(report.leased > 0).toBe(leases === 'on');
      }
    }),
  TIMEOUT_MS,
);
