import type { FakeJobs, FakeUpstream } from '@mg/testkit';
import { Client } from 'pg';
import { waitUntil } from '../wait-until.js';
import { type Incident, ranThroughKilledGateway } from './run-stack-drill.js';
import type { StackLoad } from './stack-load.js';

/** Whatever happened, no hold is open for longer. */
const HOLDS_RESOLVED_MS = 60_000;
const FILMS_ENDED_MS = 120_000;

export interface StackBooks {
  readonly load: StackLoad;
  readonly upstream: FakeUpstream;
  readonly jobs: FakeJobs;
  readonly databaseUrl: string;
  readonly kills: readonly Incident[];
}

/**
 * Waits until nothing is under way any more and looks whether every cent and every task is where it belongs.
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
    await wait('every film has ended', async () => (await load.pollRest()) === 0, FILMS_ENDED_MS);
    const countOpen = () => database.query(`select id from hold where state = 'open'`);
    await wait('no hold is open', async () => (await countOpen()).rowCount === 0, HOLDS_RESOLVED_MS);
    const drift = await database.query('select * from money_drift()');
    if (drift.rows.length > 0) faults.push(`the books do not balance: ${JSON.stringify(drift.rows)}`);
    return [
      ...faults,
      ...findRepeatedCalls(upstream),
      ...(await findCharges(load, kills, database)),
      ...(await findFilms(load, jobs, database)),
    ];
  } finally {
    await database.end();
  }
}

/** What has reached an upstream is never sent again. */
function findRepeatedCalls({ calls }: FakeUpstream): string[] {
  const bodies = Map.groupBy(calls, ({ rawBody }) => rawBody.toString());
  return [...bodies]
    .filter(([, same]) => same.length > 1)
    .map(([body, same]) => `the upstream was asked ${same.length} times: ${body}`);
}

/** Usage is written down so soon after the answer; a gateway that is killed before loses it, and nobody pays. */
const WRITTEN_WITHIN_MS = 1_000;

/** Whoever got a whole answer paid for it once. */
async function findCharges(
  { outcomes }: StackLoad,
  kills: readonly Incident[],
  database: Client,
): Promise<string[]> {
  const { rows } = await database.query<{ request_id: string; count: string }>(
    `select request_id, count(*) from entry where kind = 'charge' and wallet_id is not null group by 1`,
  );
  const counts = new Map(rows.map((row) => [row.request_id, Number(row.count)]));
  return outcomes.flatMap((outcome) => {
    const { kind, mark, fault, requestId, endedMs } = outcome;
    if (kind === 'order' || kind === 'poll') return [];
    const count = counts.get(requestId ?? '') ?? 0;
    const isLost =
      count === 0 && ranThroughKilledGateway({ ...outcome, endedMs: endedMs + WRITTEN_WITHIN_MS }, kills);
    if (fault === undefined && count !== 1 && !isLost)
      return [`${mark} was answered and charged ${count} times`];
    return count > 1 ? [`${mark} was charged ${count} times`] : [];
  });
}

interface TaskRow {
  readonly public_id: string;
  readonly state: string;
  readonly amount: string;
  readonly charged: string | null;
}

/**
 * Each film that a caller was told of is one task, one job and one charge. An order that a killed gateway took with it
 * may have left a task that nobody was told of: it costs nothing.
 */
async function findFilms({ films, began }: StackLoad, jobs: FakeJobs, database: Client): Promise<string[]> {
  const { rows } = await database.query<TaskRow>(
    'select public_id, state, amount, charged from task where created_at >= $1',
    [began],
  );
  const tasks = new Map(rows.map((row) => [row.public_id, row]));
  const faults = films.flatMap(({ publicId, mark, state }) => {
    const task = tasks.get(publicId);
    tasks.delete(publicId);
    const isWhole = task?.state === 'succeeded' && task.charged === task.amount && state === 'completed';
    const isMade = jobs.jobs.some((job) => job.prompt === `${mark}.`);
    return isWhole && isMade ? [] : [`${mark} is told as ${state} and is ${JSON.stringify(task)}`];
  });
  const untold = [...tasks.values()];
  for (const task of untold) {
    if ((task.charged ?? '0') !== '0') faults.push(`nobody was told of ${JSON.stringify(task)}`);
  }
  const repeated = jobs.jobs.length - new Set(jobs.jobs.map((job) => job.prompt)).size;
  if (repeated > untold.length)
    faults.push(`${repeated} films were made again, for ${untold.length} lost orders`);
  return faults;
}
