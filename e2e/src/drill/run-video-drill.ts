import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS } from '../deployment/credentials.js';
import { type DrillFleet, DRILL_MODELS } from './drill-fleet.js';
import { endLostSubmits } from './end-lost-submits.js';

export interface DrillPlan {
  readonly tasks: number;
  readonly breaks: number;
  /** What is broken when, and which task has which model, follows from it. */
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface DrillReport {
  /** Tasks that callers were told of, by the state that they ended in. */
  readonly ends: Readonly<Record<string, number>>;
  /** Orders that were refused with an error. */
  readonly refused: number;
  /** Sentences about everything that should not be. */
  readonly faults: readonly string[];
}

const AT_ONCE = 20;
const PAUSE_BETWEEN_BREAKS_MS = 1_500;
const AGAIN_MS = 300;
const ANSWER_WITHIN_MS = 60_000;
const SETTLE_WITHIN_MS = 240_000;

/** Creates tasks while planes, Redis and Postgres are killed at random, then looks whether every task and every cent is where it belongs. */
export async function runVideoDrill(fleet: DrillFleet, plan: DrillPlan): Promise<DrillReport> {
  const random = createRandom(plan.seed);
  plan.say(`seed ${plan.seed}: ${plan.tasks} tasks, ${plan.breaks} breaks`);
  const models = Object.keys(DRILL_MODELS);
  const orders = Array.from({ length: plan.tasks }, (_, index) => ({
    index,
    model: models[Math.floor(random() * models.length)] ?? '',
  }));
  const [answers] = await Promise.all([createAll(fleet, orders), breakThings(fleet, plan, random)]);
  await settle(fleet, plan);
  return check(fleet, answers);
}

interface Order {
  readonly index: number;
  readonly model: string;
}

interface Answer {
  readonly order: Order;
  readonly status: number;
  readonly publicId: string | undefined;
}

async function createAll(fleet: DrillFleet, orders: readonly Order[]): Promise<Answer[]> {
  const waiting = [...orders];
  const answers: Answer[] = [];
  const work = async () => {
    for (let order = waiting.shift(); order; order = waiting.shift())
      answers.push(await create(fleet, order));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

/** One caller's patience: the same key again until there is an answer that is no fault of the gateway. */
async function create({ gatewayUrl }: DrillFleet, order: Order): Promise<Answer> {
  for (;;) {
    try {
      const response = await fetch(`${gatewayUrl}/v1/video/generations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS.main}`,
          'content-type': 'application/json',
          'idempotency-key': `drill-${order.index}`,
        },
        body: JSON.stringify({ model: order.model, prompt: `task ${order.index}.`, duration: 5 }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const body = (await response.json()) as { task_id?: string };
      if (response.status < 500) return { order, status: response.status, publicId: body.task_id };
    } catch {
      // The gateway was killed: the key makes asking again harmless.
    }
    await sleep(AGAIN_MS);
  }
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

interface Row {
  readonly id: string;
  readonly public_id: string;
  readonly state: string;
  readonly model: string;
  readonly upstream_id: string | null;
  readonly amount: string;
  readonly charged: string | null;
  readonly charges: string;
  readonly refunds: string;
}

async function check(fleet: DrillFleet, answers: readonly Answer[]): Promise<DrillReport> {
  const rows = await fleet.query<Row>(
    `select t.id, t.public_id, t.state, t.model_slug as model, t.upstream_id, t.amount, t.charged,
            count(*) filter (where e.kind = 'charge') as charges, count(*) filter (where e.kind = 'refund') as refunds
       from task t left join entry e on e.task_id = t.id and e.wallet_id is not null group by t.id`,
  );
  const told = new Map(answers.map((answer) => [answer.publicId, answer]));
  const faults: string[] = [];
  for (const row of rows) faults.push(...findFaults(row, told.has(row.public_id)));
  const untold = rows.filter((row) => !told.has(row.public_id)).length;
  faults.push(...findRepeatedJobs(fleet, rows, untold));
  for (const { publicId, order, status } of answers) {
    const known = rows.some((row) => row.public_id === publicId);
    if (status === 200 && !known) faults.push(`task ${order.index} was told and does not exist`);
  }
  const drift = await fleet.query('select * from money_drift()');
  if (drift.length > 0) faults.push(`the books do not balance: ${JSON.stringify(drift)}`);
  const shown = rows.filter((row) => told.has(row.public_id));
  const ends = Object.fromEntries(
    [...Map.groupBy(shown, (row) => row.state)].map(([state, list]) => [state, list.length]),
  );
  return { ends, refused: answers.filter(({ status }) => status !== 200).length, faults };
}

/** A task is one job. An order whose caller was answered with an error is a task that nobody was told of, and may be a job. */
function findRepeatedJobs({ jobs }: DrillFleet, rows: readonly Row[], untold: number): string[] {
  const prompts = new Set(jobs.jobs.map((job) => job.prompt));
  const repeated = jobs.jobs.length - prompts.size;
  const taken = rows.flatMap((row) => row.upstream_id ?? []);
  const strange = taken.filter((id) => !jobs.jobs.some((job) => job.id === id));
  return [
    ...(repeated > untold ? [`${repeated} jobs were made again, for ${untold} tasks that nobody knows`] : []),
    ...(new Set(taken).size < taken.length ? ['two tasks have the same job'] : []),
    ...strange.map((id) => `there is no job ${id}`),
  ];
}

function findFaults(row: Row, wasTold: boolean): string[] {
  const faults: string[] = [];
  const is = `task ${row.id} (${row.model}) is ${row.state}`;
  if (!['succeeded', 'failed', 'expired', 'cancelled'].includes(row.state)) faults.push(`${is}: stuck`);
  const due = row.state === 'succeeded' ? row.amount : '0';
  if ((row.charged ?? '0') !== due) faults.push(`${is} and costs ${row.charged}, not ${due}`);
  if (Number(row.charges) > 1 || Number(row.refunds) > 1) faults.push(`${is}: moved twice`);
  const isGivenBack = row.state !== 'succeeded' && Number(row.charges) === 1;
  if ((Number(row.refunds) === 1) !== isGivenBack) faults.push(`${is}: ${row.refunds} refunds`);
  if (!wasTold && row.state === 'succeeded') faults.push(`${is}, and its caller was never told`);
  return faults;
}

/** Mulberry32: small, and the same figures everywhere. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
