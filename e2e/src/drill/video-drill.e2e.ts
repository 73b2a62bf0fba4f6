import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrillFleet, startDrillFleet } from './drill-fleet.js';
import { runVideoDrill } from './run-video-drill.js';

const TASKS = Number(process.env.DRILL_TASKS ?? 16);
const BREAKS = Number(process.env.DRILL_BREAKS ?? 4);
const SEED = Number(process.env.DRILL_SEED ?? Date.now() % 1_000_000);
const TIMEOUT_MS = 900_000;

describe('video tasks under kills', () => {
  let fleet: DrillFleet;
  beforeAll(async () => {
    fleet = await startDrillFleet();
  });
  afterAll(() => fleet.stop());

  it(
    `of ${TASKS} tasks none is stuck, made twice or paid for without a video (seed ${SEED})`,
    async () => {
      // oxlint-disable-next-line no-console -- the drill of `npm run drill:video` is watched while it runs
      const say = (line: string) => process.env.DRILL_TASKS && console.log(line);
      const report = await runVideoDrill(fleet, { tasks: TASKS, breaks: BREAKS, seed: SEED, say });
      say(JSON.stringify(report));
      expect(report.faults).toEqual([]);
      expect(report.ends.succeeded).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});
