import type { FakeJobs } from '@mg/testkit';
import type { DrillFleet } from './drill-fleet.js';
import type { VideoAnswer } from './order-video.js';

export interface VideoReport {
  /** Tasks whose callers got their id, by the state that they ended in. */
  readonly ends: Readonly<Record<string, number>>;
  /** Charges that were given back. */
  readonly refunds: number;
  /** Orders that were refused with an error. */
  readonly refused: number;
  /** Sentences about everything that should not be. */
  readonly faults: readonly string[];
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

/** Looks whether each task has ended once, costs what it should and is one job. */
export async function checkVideos(
  { jobs, query }: Pick<DrillFleet, 'jobs' | 'query'>,
  answers: readonly VideoAnswer[],
): Promise<VideoReport> {
  const rows = await query<Row>(
    `select t.id, t.public_id, t.state, t.model_slug as model, t.upstream_id, t.amount, t.charged,
            count(*) filter (where e.kind = 'charge') as charges, count(*) filter (where e.kind = 'refund') as refunds
       from task t left join entry e on e.task_id = t.id and e.wallet_id is not null group by t.id`,
  );
  const reported = new Map(answers.map((answer) => [answer.publicId, answer]));
  const faults: string[] = [];
  for (const row of rows) faults.push(...findFaults(row));
  const unreported = rows.filter((row) => !reported.has(row.public_id));
  faults.push(
    ...unreported
      .filter(({ state }) => state === 'succeeded')
      .map(({ id }) => `task ${id} was made and paid for, and no caller knows it`),
    ...findRepeatedJobs(jobs, rows, unreported.length),
  );
  for (const { publicId, order, status } of answers) {
    const known = rows.some((row) => row.public_id === publicId);
    if (status === 200 && !known) faults.push(`task ${order.index} was answered and does not exist`);
  }
  const shown = rows.filter((row) => reported.has(row.public_id));
  const ends = Object.fromEntries(
    [...Map.groupBy(shown, (row) => row.state)].map(([state, list]) => [state, list.length]),
  );
  const refunds = rows.reduce((sum, row) => sum + Number(row.refunds), 0);
  return {
    ends,
    refunds,
    refused: answers.filter(({ status }) => status !== 200).length,
    faults,
  };
}

/** A task is one job. An order whose caller was answered with an error is a task that no caller knows, and may be a job. */
function findRepeatedJobs(jobs: FakeJobs, rows: readonly Row[], unreported: number): string[] {
  const prompts = new Set(jobs.jobs.map((job) => job.prompt));
  const repeated = jobs.jobs.length - prompts.size;
  const taken = rows.flatMap((row) => row.upstream_id ?? []);
  const strange = taken.filter((id) => !jobs.jobs.some((job) => job.id === id));
  return [
    ...(repeated > unreported
      ? [`${repeated} jobs were made again, for ${unreported} tasks that nobody knows`]
      : []),
    ...(new Set(taken).size < taken.length ? ['two tasks have the same job'] : []),
    ...strange.map((id) => `there is no job ${id}`),
  ];
}

function findFaults(row: Row): string[] {
  const faults: string[] = [];
  const is = `task ${row.id} (${row.model}) is ${row.state}`;
  if (!['succeeded', 'failed', 'expired', 'cancelled'].includes(row.state)) faults.push(`${is}: stuck`);
  const due = row.state === 'succeeded' ? row.amount : '0';
  if ((row.charged ?? '0') !== due) faults.push(`${is} and costs ${row.charged}, not ${due}`);
  if (Number(row.charges) > 1 || Number(row.refunds) > 1) faults.push(`${is}: moved twice`);
  const isGivenBack = row.state !== 'succeeded' && Number(row.charges) === 1;
  if ((Number(row.refunds) === 1) !== isGivenBack) faults.push(`${is}: ${row.refunds} refunds`);
  return faults;
}
