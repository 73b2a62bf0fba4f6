import type { FakeJobs, FakeUpstream } from '@mg/testkit';
import { Client } from 'pg';
import { waitUntil } from '../wait-until.js';
import { endLostSubmits } from './end-lost-submits.js';
import type { Incident } from './run-stack-drill.js';
import type { StackLoad } from './stack-load.js';

/** Whatever happened, no hold is open for longer. */
const HOLDS_RESOLVED_MS = 60_000;
const VIDEOS_ENDED_MS = 120_000;

export interface StackBooks {
  readonly load: StackLoad;
  readonly upstream: FakeUpstream;
  readonly jobs: FakeJobs;
  readonly databaseUrl: string;
  readonly kills: readonly Incident[];
}

/**
 * Waits until nothing is in progress any more and looks whether every cent and every task is where it belongs.
 *
 * @returns sentences about everything that is not.
 */
export async function checkStack({
  load,
  upstream,
  jobs,
  databaseUrl,
  kills,
}: StackBooks): Promise<string[]> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const faults: string[] = [];
    const wait = (what: string, ask: () => Promise<boolean>, withinMs: number) =>
      waitUntil(what, ask, withinMs).catch((error: Error) => faults.push(error.message));
    const pollRest = async () => {
      if (countKilledWorkers(kills) > 0) await endLostSubmits((sql) => database.query(sql));
      return (await load.pollRest()) === 0;
    };
    await wait('every video has ended', pollRest, VIDEOS_ENDED_MS);
    const countOpen = () =>
      database.query(`select id from hold where state = 'open' and created_at >= $1`, [load.began]);
    await wait('no hold is open', async () => (await countOpen()).rowCount === 0, HOLDS_RESOLVED_MS);
    const drift = await database.query('select * from money_drift()');
    if (drift.rows.length > 0) faults.push(`the ledger does not balance: ${JSON.stringify(drift.rows)}`);
    return [
      ...faults,
      ...findRepeatedCalls(load, upstream),
      ...(await findCharges(load, database)),
      ...(await findVideos(load, jobs, kills, database)),
    ];
  } finally {
    await database.end();
  }
}

/** What has reached an upstream is never sent again. */
function findRepeatedCalls(load: StackLoad, { calls }: FakeUpstream): string[] {
  const asked = calls.map(({ rawBody }) => rawBody.toString()).filter((body) => load.hasMarked(body));
  const bodies = Map.groupBy(asked, (body) => body);
  return [...bodies]
    .filter(([, same]) => same.length > 1)
    .map(([body, same]) => `the upstream was asked ${same.length} times: ${body}`);
}

/** Whoever got a whole answer paid for it once, whatever became of the gateway in the next moment. */
async function findCharges({ outcomes }: StackLoad, database: Client): Promise<string[]> {
  const { rows } = await database.query<{ request_id: string; count: string }>(
    `select request_id, count(*) from entry where kind = 'charge' and wallet_id is not null group by 1`,
  );
  const counts = new Map(rows.map((row) => [row.request_id, Number(row.count)]));
  return outcomes.flatMap((outcome) => {
    const { kind, mark, fault, requestId } = outcome;
    if (kind === 'order' || kind === 'poll') return [];
    const count = counts.get(requestId ?? '') ?? 0;
    if (fault === undefined && count !== 1) return [`${mark} was answered and charged ${count} times`];
    return count > 1 ? [`${mark} was charged ${count} times`] : [];
  });
}

interface TaskRow {
  readonly public_id: string;
  readonly state: string;
  readonly amount: string;
  readonly charged: string | null;
  /** Whether its worker was lost in the middle of the submit. */
  readonly lost: boolean;
}

function countKilledWorkers(kills: readonly Incident[]): number {
  return kills.filter(({ container }) => container.startsWith('video-worker')).length;
}

/**
 * Each video whose order a caller saw accepted is one task, one job and one charge; but for the one submit that may be in progress
 * when its worker is killed, whose task expires and costs nothing. An order that a killed gateway took with it may have
 * left a task that no caller knows: it costs nothing either.
 */
async function findVideos(
  load: StackLoad,
  { jobs }: FakeJobs,
  kills: readonly Incident[],
  database: Client,
): Promise<string[]> {
  const { videos, began } = load;
  const { rows } = await database.query<TaskRow>(
    `select t.public_id, t.state, t.amount, t.charged,
            exists (select from task_event e where e.task_id = t.id
                     and e.state = 'submit_unknown' and e.note = 'its worker was lost during the submit') as lost
       from task t where t.created_at >= $1`,
    [began],
  );
  const tasks = new Map(rows.map((row) => [row.public_id, row]));
  const made = jobs.map(({ prompt }) => prompt).filter((prompt) => load.hasMarked(prompt));
  let lost = 0;
  const faults = videos.flatMap(({ publicId, mark, state }) => {
    const task = tasks.get(publicId);
    tasks.delete(publicId);
    if (task?.lost && task.state === 'expired' && (task.charged ?? '0') === '0' && state === 'failed') {
      lost += 1;
      return [];
    }
    const isWhole = task?.state === 'succeeded' && task.charged === task.amount && state === 'completed';
    const isMade = made.some((prompt) => prompt === `${mark}.`);
    return isWhole && isMade ? [] : [`${mark} is shown as ${state} and is ${JSON.stringify(task)}`];
  });
  if (lost > countKilledWorkers(kills)) faults.push(`${lost} videos have expired`);
  const unreported = [...tasks.values()];
  for (const task of unreported) {
    if ((task.charged ?? '0') !== '0') faults.push(`no caller knows ${JSON.stringify(task)}`);
  }
  const repeated = made.length - new Set(made).size;
  if (repeated > unreported.length)
    faults.push(`${repeated} videos were made again, for ${unreported.length} lost orders`);
  return faults;
}
