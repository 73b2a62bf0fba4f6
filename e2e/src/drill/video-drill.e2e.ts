import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrillFleet, startDrillFleet } from './drill-fleet.js';
import { runVideoDrill } from './run-video-drill.js';

/** `npm run drill:video` alone sets them: videos under kills are also ordered by the money drill and by `scenarios/faults.ts`. */
const TASKS = Number(process.env.DRILL_TASKS ?? 0);
const BREAKS = Number(process.env.DRILL_BREAKS ?? 0);
const SEED = Number(process.env.DRILL_SEED ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 900_000;

describe.runIf(TASKS > 0)('video tasks under kills', () => {
  let fleet: DrillFleet;
  beforeAll(async () => {
    fleet = await startDrillFleet();
  });
  afterAll(() => fleet.stop());

  it(
    `of ${TASKS} tasks none is stuck, made twice or paid for without a video (seed ${SEED})`,
    async () => {
      // oxlint-disable-next-line no-console -- the drill of `npm run drill:video` is watched while it runs
      const say = (line: string) => console.log(line);
      const report = await runVideoDrill(fleet, { tasks: TASKS, breaks: BREAKS, seed: SEED, say });
      say(JSON.stringify(report));
      expect(report.faults).toEqual([]);
      expect(report.ends.succeeded).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
