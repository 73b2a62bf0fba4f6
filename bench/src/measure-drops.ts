import { newId, NO_USAGE } from '@mg/contract';
import { PARTITIONED_ROWS, Retention } from '@mg/persistence/billing';
import { openDatabase } from '@mg/persistence/console';
import { writeJournal } from '@mg/persistence/gateway';
import { print } from './print.js';

const KEPT_DAYS = 3;
const WRITER = 'seed-logs-writer';
const CHECK_EVERY_MS = 1;

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** A row that was written, and when, in milliseconds of `performance.now`. */
interface Write {
  readonly atMs: number;
  readonly tookMs: number;
}

/** What the server said that the writer waited for, at a moment. */
interface Look {
  readonly atMs: number;
  readonly waitsFor: string;
}

/**
 * Old partitions are taken out and dropped while somebody writes usage all the time: what counts is how long that writer
 * waits, and for what.
 */
export async function measureDrops(url: string): Promise<void> {
  const [database, writer, watcher] = await Promise.all(
    ['seed-logs-retention', WRITER, 'seed-logs-watcher'].map((applicationName) =>
      openDatabase({ url, poolSize: 1, applicationName }),
    ),
  );
  if (!database || !writer || !watcher) throw new Error('no database');
  const stop = new AbortController();
  const writing = writeUsage(writer, stop.signal);
  const watching = watchWriter(watcher, stop.signal);
  const retention = new Retention(database);
  const steps = { detachPartition: [] as Write[], dropDetached: [] as Write[] };
  try {
    for (const kind of PARTITIONED_ROWS) {
      for (const [step, done] of Object.entries(steps)) {
        for (let more = true; more;) {
          const atMs = performance.now();
          const name =
            step === 'detachPartition'
              ? await retention.detachPartition(kind, KEPT_DAYS)
              : await retention.dropDetached(kind);
          more = name !== undefined;
          if (more) done.push({ atMs, tookMs: performance.now() - atMs });
        }
      }
    }
  } finally {
    stop.abort();
  }
  const [writes, looks] = await Promise.all([writing, watching]);
  report('partitions taken out', steps.detachPartition, writes, looks);
  report('tables and indexes dropped', steps.dropDetached, writes, looks);
  await Promise.all([database, writer, watcher].map((source) => source.destroy()));
}

/** Writes row after row. */
async function writeUsage(database: Database, signal: AbortSignal): Promise<Write[]> {
  const writes: Write[] = [];
  while (!signal.aborted) {
    const atMs = performance.now();
    await writeJournal(database, [
      { requestId: newId(), seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false },
    ]);
    writes.push({ atMs, tookMs: performance.now() - atMs });
  }
  return writes;
}

async function watchWriter(database: Database, signal: AbortSignal): Promise<Look[]> {
  const looks: Look[] = [];
  while (!signal.aborted) {
    const [row] = await database.query<{ waits_for: string | null }[]>(
      `select wait_event_type || ' ' || wait_event as waits_for from pg_stat_activity
        where application_name = $1 and state = 'active'`,
      [WRITER],
    );
    if (row) looks.push({ atMs: performance.now(), waitsFor: row.waits_for ?? 'a processor' });
    await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
  }
  return looks;
}

function report(
  title: string,
  steps: readonly Write[],
  writes: readonly Write[],
  looks: readonly Look[],
): void {
  const longestStep = Math.max(0, ...steps.map(({ tookMs }) => tookMs));
  const meanwhile = writes
    .filter(({ atMs, tookMs }) =>
      steps.some((step) => atMs < step.atMs + step.tookMs && atMs + tookMs > step.atMs),
    )
    .toSorted((a, b) => a.tookMs - b.tookMs);
  print(String(steps.length), title);
  print(`${longestStep.toFixed(1)} ms`, 'the longest of these steps');
  print(
    `${(meanwhile[Math.floor(meanwhile.length / 2)]?.tookMs ?? 0).toFixed(1)} ms`,
    'a row of usage written meanwhile, the median',
  );
  for (const { atMs, tookMs } of meanwhile.slice(-3).toReversed()) {
    const seen = looks.filter((look) => look.atMs >= atMs && look.atMs <= atMs + tookMs);
    const counts = Map.groupBy(seen, ({ waitsFor }) => waitsFor);
    const waits = [...counts].map(([waitsFor, found]) => `${waitsFor} ${found.length}`).join(', ');
    print(
      `${tookMs.toFixed(1)} ms`,
      `one of the longest of ${meanwhile.length}, seen waiting for: ${waits || '-'}`,
    );
  }
}
