import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../create-random.js';
import { checkVideos, type VideoReport } from './check-videos.js';
import type { DrillFleet } from './drill-fleet.js';
import { DRILL_MODELS } from './drill-videos.js';
import { endLostSubmits } from './end-lost-submits.js';
import { orderVideo, type VideoAnswer, type VideoOrder } from './order-video.js';

export interface DrillPlan {
  readonly tasks: number;
  readonly breaks: number;
  /** What is broken when, and which task has which model, follows from it. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

const AT_ONCE = 20;
const PAUSE_BETWEEN_BREAKS_MS = 1_500;
const SETTLE_WITHIN_MS = 240_000;

/** Creates tasks while planes, Redis and Postgres are killed at random, then looks whether every task and every cent is where it belongs. */
export async function runVideoDrill(fleet: DrillFleet, plan: DrillPlan): Promise<VideoReport> {
  const random = createRandom(plan.seed);
  plan.say(`seed ${plan.seed}: ${plan.tasks} tasks, ${plan.breaks} breaks`);
  const models = Object.keys(DRILL_MODELS);
  const orders = Array.from({ length: plan.tasks }, (_, index) => ({
    index,
    model: models[Math.floor(random() * models.length)] ?? '',
  }));
  const [answers] = await Promise.all([createAll(fleet, orders), breakThings(fleet, plan, random)]);
  await settle(fleet, plan);
  const report = await checkVideos(fleet, answers);
  const drift = await fleet.query('select * from money_drift()');
  const faults = [
    ...report.faults,
    ...drift.map((row) => `the ledger does not balance: ${JSON.stringify(row)}`),
  ];
  return { ...report, faults };
}

async function createAll(fleet: DrillFleet, orders: readonly VideoOrder[]): Promise<VideoAnswer[]> {
  const waiting = [...orders];
  const answers: VideoAnswer[] = [];
  const work = async () => {
    for (let order = waiting.shift(); order; order = waiting.shift())
      answers.push(await orderVideo([fleet.gatewayUrl], order));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

async function breakThings(fleet: DrillFleet, plan: DrillPlan, random: () => number): Promise<void> {
  const names = Object.keys(fleet.breaks);
  for (let count = 0; count < plan.breaks; count++) {
    await sleep(random() * 2 * PAUSE_BETWEEN_BREAKS_MS);
    const name = names[Math.floor(random() * names.length)] ?? '';
    plan.say(name);
    await fleet.breaks[name]?.();
  }
}

const OPEN = `state not in ('succeeded', 'failed', 'expired', 'cancelled')`;

/** Waits until every task has ended. Submits that nobody will hear of again are brought to their deadline. */
async function settle(fleet: DrillFleet, plan: DrillPlan): Promise<void> {
  const deadline = Date.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const left = await fleet
      .query<{ state: string; count: string }>(
        `select state, count(*) as count from task where ${OPEN} group by 1 order by 1`,
      )
      .catch(() => [{ state: 'unknown', count: '?' }]);
    if (left.length === 0 || Date.now() > deadline) return;
    plan.say(left.map(({ state, count }) => `${count} ${state}`).join(', '));
    if (left.every(({ state }) => state === 'submit_unknown')) {
      await endLostSubmits((sql) => fleet.query(sql));
    }
    await sleep(1_000);
  }
}
