import { parseArgs } from 'node:util';
import { parseUsd } from '@mg/contract';
import { ConsoleStore, EVERYONE, openDatabase } from '@mg/persistence/console';
import { UsageRollups } from '@mg/persistence/billing';
import { seedManyRows, seedPayer, startTestServices } from '@mg/testkit';

const DAY_MS = 24 * 60 * 60_000;
const AGGREGATE_BATCH = 20_000;
const REPETITIONS = 3;
const PAGE = { limit: 50, after: undefined };

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** Fills DATABASE_URL, or a database of its own that is gone afterwards, and measures what the Console asks. */
async function main(): Promise<void> {
  const rows = Number(values.rows);
  if (!Number.isInteger(rows) || rows < 1) throw new Error('--rows must be a whole number from 1 on.');
  const services = process.env['DATABASE_URL'] === undefined ? await startTestServices() : undefined;
  const url = services?.databaseUrl ?? process.env['DATABASE_URL'] ?? '';
  const database = await openDatabase({ url, poolSize: 2, applicationName: 'seed-logs' });
  try {
    await measure(`${rows} calls, holds, charges and changes written`, 1, () => seed(database, rows));
    await measure('added to the usage rollups', 1, () => aggregate(database));
    await database.query('vacuum analyze usage_cell, usage_change');
    await measurePages(database);
  } finally {
    await database.destroy();
    await services?.stop();
  }
}

async function seed(database: Database, rows: number): Promise<void> {
  const payer = await seedPayer(database, {
    balance: parseUsd('1000'),
    price: { input_per_million: '1' },
  });
  await seedManyRows(database, payer, rows);
}

async function aggregate(database: Database): Promise<void> {
  const usage = new UsageRollups(database);
  while ((await usage.aggregate(AGGREGATE_BATCH)) > 0);
}

async function measurePages(database: Database): Promise<void> {
  const store = ConsoleStore.over(database);
  const [now, from] = [new Date(), new Date(Date.now() - 30 * DAY_MS)];
  const questions: Record<string, () => Promise<unknown>> = {
    'logs, first page': () => store.logs.list(EVERYONE, {}, PAGE),
    'logs of a model': () => store.logs.list(EVERYONE, { model: 'model-7' }, PAGE),
    'logs, failed': () => store.logs.list(EVERYONE, { failed: true }, PAGE),
    'logs of a day': () =>
      store.logs.list(EVERYONE, { from: new Date(now.getTime() - DAY_MS), to: now }, PAGE),
    'video tasks': () => store.tasks.list(EVERYONE, {}, PAGE),
    'audit log': () => store.audit.list({}, PAGE),
    'usage of 30 days by model': () => store.sumUsage(EVERYONE, 'model', { from, to: now }),
    'usage of 30 days, day by day': () => store.listUsage(EVERYONE, { from, to: now, bucket: 'day' }),
  };
  for (const [title, ask] of Object.entries(questions)) await measure(title, REPETITIONS, ask);
}

/** Prints how long the quickest of some turns took. */
async function measure(title: string, repetitions: number, work: () => Promise<unknown>): Promise<void> {
  const tookMs: number[] = [];
  for (let turn = 0; turn < repetitions; turn += 1) {
    const startedMs = performance.now();
    await work();
    tookMs.push(performance.now() - startedMs);
  }
  process.stdout.write(`${`${Math.min(...tookMs).toFixed(1)} ms`.padStart(12)}  ${title}\n`);
}

await main();
