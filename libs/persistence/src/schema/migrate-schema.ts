import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DataSource,
  type EntityManager,
  MigrationExecutor,
  QueryFailedError,
  type QueryRunner,
} from 'typeorm';
import { createHashTable, recordHashes, refuseEditedMigrations } from './migration-hashes.js';

/** Any number; whoever may migrate at once takes turns by it. */
const MIGRATION_LOCK = 7_204_001;
const ASK_EVERY_MS = 100;
/**
 * A migration that waits longer for a table lets the traffic behind it pass and tries again. Less than Postgres's
 * `deadlock_timeout` of a second: where it and a call wait for each other it gives way, and no call is sacrificed.
 */
const LOCK_TIMEOUT_MS = 500;
/** For one migration: about a minute. */
const MAX_TRIES = 80;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings the schema up to date, under an advisory lock, as the database's owner. `afterwards` runs under the same lock and
 * receives the number of migrations that were applied.
 *
 * @throws Error when a migration fails, finds its tables locked for a minute, or was edited after it had been applied.
 */
export async function migrateSchema(
  database: DataSource,
  afterwards: (manager: EntityManager, applied: number) => Promise<void>,
): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('set statement_timeout = 0');
    await runner.query('set idle_in_transaction_session_timeout = 0');
    await takeTurn(runner);
    await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await createHashTable(runner);
    await refuseEditedMigrations(runner);
    const applied = await runMigrations(database, runner);
    await recordHashes(runner);
    await afterwards(runner.manager, applied);
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('reset statement_timeout');
    await runner.query('reset idle_in_transaction_session_timeout');
    await runner.query('reset lock_timeout');
    await runner.release();
  }
}

/**
 * Asks for the lock again and again instead of waiting for it: an index that is built concurrently waits for every
 * statement that has begun before it, and so for whoever would wait for it to end.
 */
async function takeTurn(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = await runner.manager.query<{ taken: boolean }[]>(
      'select pg_try_advisory_lock($1) as taken',
      [MIGRATION_LOCK],
    );
    if (row?.taken === true) return;
    await sleep(ASK_EVERY_MS);
  }
}

/** Answers how many were applied. */
async function runMigrations(database: DataSource, runner: QueryRunner): Promise<number> {
  const executor = new MigrationExecutor(database, runner);
  executor.transaction = 'each';
  const atStart = (await executor.getPendingMigrations()).length;
  let pending = atStart;
  for (let tries = 1; ; tries++) {
    try {
      await executor.executePendingMigrations();
      return atStart;
    } catch (error) {
      const left = (await executor.getPendingMigrations()).length;
      if (left < pending) tries = 1;
      pending = left;
      if (tries === MAX_TRIES || !isLockTimeout(error)) throw error;
      await sleep(Math.random() * LOCK_TIMEOUT_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && error.driverError.code === LOCK_NOT_AVAILABLE;
}
