import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DataSource,
  type EntityManager,
  MigrationExecutor,
  QueryFailedError,
  type QueryRunner,
} from 'typeorm';

/** Any number; whoever may migrate at once queues up behind it. */
const MIGRATION_LOCK = 7_204_001;
/** A migration that waits longer for a table lets the traffic behind it pass and asks again. */
const LOCK_TIMEOUT_MS = 2_000;
const MAX_TRIES = 30;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Brings the schema up to date, under an advisory lock, as the database's owner. `afterwards` runs under the same lock.
 *
 * @throws Error when a migration fails, or finds its tables locked for a minute.
 */
export async function migrateSchema(
  database: DataSource,
  afterwards: (manager: EntityManager) => Promise<void> = async () => undefined,
): Promise<void> {
  const runner = database.createQueryRunner();
  try {
    await runner.query('set statement_timeout = 0');
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await runner.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await runMigrations(database, runner);
    await afterwards(runner.manager);
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.query('reset statement_timeout');
    await runner.query('reset lock_timeout');
    await runner.release();
  }
}

async function runMigrations(database: DataSource, runner: QueryRunner): Promise<void> {
  const executor = new MigrationExecutor(database, runner);
  executor.transaction = 'each';
  for (let tries = 1; ; tries++) {
    try {
      await executor.executePendingMigrations();
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !isLockTimeout(error)) throw error;
      await sleep(Math.random() * LOCK_TIMEOUT_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && error.driverError.code === LOCK_NOT_AVAILABLE;
}
