import { join } from 'node:path';
import type { Environment, HoldOwner, JournalRow, RequestLogRow } from '@mg/contract';
import {
  BatchWriter,
  replayUsage,
  setAside,
  type SpoolLevel,
  UsageJournal,
  UsageSpool,
  type CapturedBody,
  writeCapturedBodies,
  writeJournal,
  writeRequestLog,
} from '@mg/persistence/gateway';
import { type Lifecycle, type Logger, type Registry, repeatEvery } from '@mg/runtime';
import type { DataSource } from 'typeorm';
import { registerUsageMetrics, type UsageReadings } from './call/usage-metrics.js';

/** How long rows wait for company: a write costs nearly the same for one as for many. Whoever needs them flushes them. */
const JOURNAL_DELAYS = { delayMs: 40, busyDelayMs: 100 };
const LOG_DELAYS = { delayMs: 100, busyDelayMs: 250 };
const MAX_BATCH = 500;
/** Of up to 64 KB each. */
const MAX_BODIES = 20;
/** For how long a gateway that stops tries to write what is left. */
const WRITE_LAST_MS = 5_000;
const WRITE_MARGIN_MS = 500;
/** Well within the minute after which segments count as abandoned. */
const TOUCH_EVERY_MS = 15_000;
const REPLAY_EVERY_MS = 60_000;

export interface Writers {
  readonly journal: UsageJournal;
  readonly requestLog: BatchWriter<RequestLogRow>;
  readonly bodies: BatchWriter<CapturedBody>;
}

interface WriterOptions {
  readonly environment: Environment;
  readonly owner: HoldOwner;
  readonly logger: Logger;
  readonly metrics: Registry;
}

/**
 * Opens what a gateway writes of its calls. Usage that earlier processes left in the spool is written first: after the first
 * heartbeat billing ends the holds of this instance's earlier epoch, and charges them by what it knows then.
 */
export async function openWriters(
  database: DataSource,
  { environment, owner, logger, metrics }: WriterOptions,
  life: Lifecycle,
): Promise<Writers> {
  const directory = join(environment.DATA_DIR, 'usage');
  const spool = new UsageSpool({
    directory,
    owner,
    onFailure: (error) =>
      logger.error(
        { err: error, directory },
        'usage cannot be spooled: answers wait until Postgres has theirs',
      ),
  });
  const write = (rows: readonly JournalRow[]) => writeJournal(database, rows);
  const onRefused = (error: Error, row?: JournalRow) =>
    logger.error({ err: error, request_id: row?.requestId }, 'usage was not written');
  const replays = new Replays(
    (isStart) => replayUsage({ directory, owner, write, onRefused, isStart }),
    logger,
  );
  await replays.run(true);
  life.own(
    'background',
    'replay of usage',
    repeatEvery(REPLAY_EVERY_MS, () => replays.run(false), ignore),
  );
  const touching = repeatEvery(
    TOUCH_EVERY_MS,
    async () => spool.touch(),
    (error) => logger.warn({ err: error, directory }, 'the usage spool cannot be touched'),
  );
  life.own('background', 'usage spool', touching);
  const journal = new UsageJournal({
    write,
    spool,
    maxBatch: MAX_BATCH,
    ...JOURNAL_DELAYS,
    onFailure: onRefused,
    setAside: (line) => setAside(directory, [line]),
  });
  const requestLog = openRequestLog(database, logger);
  const bodies = openBodies(database, logger);
  const withinMs = WRITE_LAST_MS + WRITE_MARGIN_MS;
  const writeUsage = () => writeLastUsage(journal, logger);
  // Usage that is lost is not charged: a process must not end as if all were well.
  life.onStop('writers', { name: 'usage', close: writeUsage, withinMs, required: true });
  life.onStop('writers', { name: 'request log', close: () => writeLastLog(requestLog), withinMs });
  life.onStop('writers', { name: 'captured bodies', close: () => bodies.close(WRITE_LAST_MS), withinMs });
  registerUsageMetrics(metrics, readingsOf(spool, replays));
  return { journal, requestLog, bodies };
}

function openBodies(database: DataSource, logger: Logger): BatchWriter<CapturedBody> {
  return new BatchWriter<CapturedBody>({
    write: (rows) => writeCapturedBodies(database, rows),
    maxBatch: MAX_BODIES,
    ...LOG_DELAYS,
    onFailure: (error, row) =>
      logger.warn({ err: error, request_id: row?.requestId }, 'a captured body was not written'),
  });
}

function openRequestLog(database: DataSource, logger: Logger): BatchWriter<RequestLogRow> {
  return new BatchWriter<RequestLogRow>({
    write: (rows) => writeRequestLog(database, rows),
    maxBatch: MAX_BATCH,
    ...LOG_DELAYS,
    onFailure: (error, row) =>
      logger.warn({ err: error, request_id: row?.requestId }, 'a log row was not written'),
  });
}

const ignore = () => undefined;
const NOTHING_LEFT: SpoolLevel = { rows: 0, bytes: 0, oldestSeconds: 0 };

/** Replays of what other processes left, and what came of them. */
class Replays {
  rows = 0;
  left = NOTHING_LEFT;

  constructor(
    private readonly replay: (isStart: boolean) => ReturnType<typeof replayUsage>,
    private readonly logger: Logger,
  ) {}

  /** Never rejects: what cannot be replayed now is tried again, and is charged late. */
  async run(isStart: boolean): Promise<void> {
    try {
      const { rows, left } = await this.replay(isStart);
      this.rows += rows;
      this.left = left;
      if (rows > 0)
        this.logger.warn({ rows }, 'usage that an ended process left in the spool has been written');
      if (left.rows > 0) this.logger.warn(left, 'usage that an ended process left in the spool waits');
    } catch (error) {
      this.logger.error({ err: error }, 'the usage spool cannot be read');
    }
  }
}

function readingsOf(spool: UsageSpool, replays: Replays): UsageReadings {
  return {
    spoolLevel: () => {
      const { level: own } = spool;
      const { left } = replays;
      return {
        rows: own.rows + left.rows,
        bytes: own.bytes + left.bytes,
        oldestSeconds: Math.max(own.oldestSeconds, left.oldestSeconds),
      };
    },
    replayedRows: () => replays.rows,
    unspooledRows: () => spool.failures,
  };
}

/** @throws Error when rows are left that no spool holds. */
async function writeLastUsage(journal: UsageJournal, logger: Logger): Promise<void> {
  const { spooled, lost } = await journal.close(WRITE_LAST_MS);
  if (spooled > 0) {
    logger.warn(
      { rows: spooled },
      `${spooled} usage rows wait in the spool and are charged after the next start`,
    );
  }
  if (lost > 0) {
    throw new Error(`${lost} usage rows could not be written before the stop, and are not charged`);
  }
}

/** @throws Error when rows are left over. */
async function writeLastLog(requestLog: BatchWriter<RequestLogRow>): Promise<void> {
  await requestLog.close(WRITE_LAST_MS);
  if (requestLog.pending > 0) {
    throw new Error(`${requestLog.pending} log rows could not be written before the stop`);
  }
}
