import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { ConsoleStore, EVERYONE, onlyUser, openDatabase } from '@mg/persistence/console';
import { type ExpiringRows, LedgerCheck, Retention } from '@mg/persistence/billing';
import { type Payer, seedCalls, startTestServices } from '@mg/testkit';
import { measureDrops } from './measure-drops.js';
import { print } from './print.js';

const GIGABYTE = 1e9;
/** What a call takes of the disk, indexes included, as long as its rows are kept. */
const BYTES_OF_A_CALL = { ledger: 770, logs: 600, holds: 280, journal: 250 };
/** Indexes are sorted on disk. */
const WITH_SORTING = 1.3;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const REPETITIONS = 3;
const PAGE = { limit: 50, after: undefined };
const EXPIRED_AT_ONCE = 2_000;
/** Rows that are deleted one by one, in a database that has seen no other calls. */
const MEASURED_KINDS = ['logs', 'journal', 'holds', 'tasks'] as const satisfies readonly ExpiringRows[];

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    days: { type: 'string', default: '365' },
    'logs-days': { type: 'string', default: '365' },
    'holds-days': { type: 'string', default: '90' },
    'journal-days': { type: 'string', default: '7' },
    seeded: { type: 'boolean', default: false },
  },
});

type Database = Awaited<ReturnType<typeof openDatabase>>;
type SeenPayer = Pick<Payer, 'userId' | 'tokenId'>;

/** Fills DATABASE_URL, or a database of its own that is gone afterwards, and measures what grows with it. */
async function main(): Promise<void> {
  const calls = readCount('--calls', values.calls);
  const days = readCount('--days', values.days);
  const kept = {
    logs: readCount('--logs-days', values['logs-days']),
    holds: readCount('--holds-days', values['holds-days']),
    journal: readCount('--journal-days', values['journal-days']),
  };
  if (process.env['DATABASE_URL'] === undefined) await needDisk(calls, days, kept);
  const services = process.env['DATABASE_URL'] === undefined ? await startTestServices() : undefined;
  const url = services?.databaseUrl ?? process.env['DATABASE_URL'] ?? '';
  const database = await openDatabase({ url, poolSize: 2, applicationName: 'seed-logs' });
  try {
    let payers: SeenPayer[] = [];
    if (values.seeded) {
      payers = await findPayers(database);
    } else {
      await measure(`${calls} calls written`, 1, async () => {
        payers = await seedCalls(url, { calls, days, kept, onProgress: printPart });
      });
    }
    await measure('vacuumed and analyzed', 1, () => vacuum(database));
    await measureSize(database);
    await measureCheck(database);
    await measurePages(database, payers);
    await measureExpiry(database, {
      journal: days,
      logs: days,
      holds: Math.min(days, kept.holds),
      tasks: days,
    });
    await measureDrops(url);
  } finally {
    await database.destroy();
    await services?.stop();
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${name} must be a whole number from 1 on.`);
  return count;
}

/**
 * A database of its own is written to the folder for temporary files.
 *
 * @throws Error when there is too little room: a full disk would stop whatever else runs on the machine.
 */
async function needDisk(
  calls: number,
  days: number,
  kept: { readonly logs: number; readonly holds: number; readonly journal: number },
): Promise<void> {
  const share = (keptDays: number) => Math.min(1, keptDays / days);
  const bytes = BYTES_OF_A_CALL;
  const ofOne =
    bytes.ledger +
    bytes.logs * share(kept.logs) +
    bytes.holds * share(kept.holds) +
    bytes.journal * share(kept.journal);
  const needed = (calls * ofOne * WITH_SORTING) / GIGABYTE;
  const { bavail, bsize } = await statfs(tmpdir());
  const free = (bavail * bsize) / GIGABYTE;
  if (needed <= free) return;
  throw new Error(
    `This takes about ${needed.toFixed(0)} GB of ${tmpdir()}, which has ${free.toFixed(0)}. Name a database by DATABASE_URL, or keep less: --logs-days 90.`,
  );
}

function printPart(part: string): void {
  print(`${process.uptime().toFixed(0)} s`, `${part} copied`);
}

/** Those who paid in a database that was filled before. */
async function findPayers(database: Database): Promise<SeenPayer[]> {
  return database.query<SeenPayer[]>(
    'select user_id as "userId", id as "tokenId" from token order by id limit 1',
  );
}

async function vacuum(database: Database): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('set statement_timeout = 0');
    await runner.query('vacuum analyze hold, request_log, entry, usage_journal, task, usage_cell');
  } finally {
    await runner.query('reset statement_timeout');
    await runner.release();
  }
}

async function measureSize(database: Database): Promise<void> {
  const [row] = await database.query<{ size: string }[]>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  print(row?.size ?? '', 'of disk');
}

/** The first round reads the whole ledger; after it a check reads what is new. */
async function measureCheck(database: Database): Promise<void> {
  const books = new LedgerCheck(database);
  let longestMs = 0;
  await measure('the ledger read once, in slices', 1, async () => {
    for (let more = true; more;) {
      const startedMs = performance.now();
      more = await books.step({ roundEverySeconds: DAY_MS });
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  });
  print(`${longestMs.toFixed(1)} ms`, 'the longest of these slices');
  let found = -1;
  await measure('a check of the ledger', REPETITIONS, async () => {
    found = (await books.find())?.rows.length ?? -1;
  });
  print(String(found), 'figures that differ');
}

async function measurePages(database: Database, payers: readonly SeenPayer[]): Promise<void> {
  const store = ConsoleStore.over(database);
  const [now, from] = [new Date(), new Date(Date.now() - 30 * DAY_MS)];
  const payer = payers[0];
  if (payer === undefined) throw new Error('nobody paid');
  const { logs } = store;
  const aMonthAgo = { from: new Date(from.getTime() - DAY_MS), to: from };
  const questions: Record<string, () => Promise<unknown>> = {
    'logs, first page': () => logs.list(EVERYONE, {}, PAGE),
    'logs of a user': () => logs.list(onlyUser(payer.userId), {}, PAGE),
    'logs of a token': () => logs.list(EVERYONE, { tokenId: payer.tokenId }, PAGE),
    'logs of a model': () => logs.list(EVERYONE, { model: 'model-7' }, PAGE),
    'logs, failed': () => logs.list(EVERYONE, { failed: true }, PAGE),
    'logs of the last two days': () =>
      logs.list(EVERYONE, { from: new Date(now.getTime() - 2 * DAY_MS), to: now }, PAGE),
    'logs of a day, a month ago': () => logs.list(EVERYONE, aMonthAgo, PAGE),
    'logs of a model on that day': () => logs.list(EVERYONE, { ...aMonthAgo, model: 'model-7' }, PAGE),
    'video tasks': () => store.tasks.list(EVERYONE, {}, PAGE),
    'usage of 30 days by model': () => store.sumUsage(EVERYONE, 'model', { from, to: now }),
    'usage of 30 days by token': () => store.sumUsage(EVERYONE, 'token', { from, to: now }),
    'usage of 30 days, day by day': () => store.listUsage(EVERYONE, { from, to: now, bucket: 'day' }),
    'usage of 7 days, hour by hour': () =>
      store.listUsage(EVERYONE, { from: new Date(now.getTime() - 7 * DAY_MS), to: now, bucket: 'hour' }),
    'usage of 7 days by model, from within an hour': () =>
      store.sumUsage(EVERYONE, 'model', { from: afterFullHour(now.getTime() - 7 * DAY_MS), to: now }),
  };
  for (const [title, ask] of Object.entries(questions)) await measure(title, REPETITIONS, ask);
}

/** A second after a full hour: of all moments that one from which the most calls are read one by one. */
function afterFullHour(timeMs: number): Date {
  return new Date(Math.floor(timeMs / HOUR_MS) * HOUR_MS + 1_000);
}

/** One batch of each kind, the oldest third being too old. */
async function measureExpiry(
  database: Database,
  days: Readonly<Record<(typeof MEASURED_KINDS)[number], number>>,
): Promise<void> {
  const retention = new Retention(database);
  for (const kind of MEASURED_KINDS) {
    const kept = Math.ceil((days[kind] * 2) / 3);
    let after = await findFirstId(database, days[kind]);
    let deleted = 0;
    await measure(`a batch of ${kind} expired`, REPETITIONS, async () => {
      const batch = await retention.expire(kind, { days: kept, after, limit: EXPIRED_AT_ONCE });
      deleted += batch.deleted;
      after = batch.next ?? after;
    });
    print(String(deleted), `${kind} deleted by these`);
  }
}

/** The smallest id of so many days ago: what is older has expired before, but for holds of videos. */
async function findFirstId(database: Database, days: number): Promise<string> {
  const [row] = await database.query<{ id: string }[]>(
    'select first_id_at(now() - make_interval(days => $1)) as id',
    [days],
  );
  if (row === undefined) throw new Error('no id');
  return row.id;
}

/** Prints how long the quickest of some turns took. */
async function measure(title: string, repetitions: number, work: () => Promise<unknown>): Promise<void> {
  const tookMs: number[] = [];
  for (let turn = 0; turn < repetitions; turn += 1) {
    const startedMs = performance.now();
    await work();
    tookMs.push(performance.now() - startedMs);
  }
  print(`${Math.min(...tookMs).toFixed(1)} ms`, title);
}

await main();
