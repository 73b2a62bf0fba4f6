import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { retryConnect } from '../retry-connect.js';
import { isPlaneRole } from '../roles/plane-roles.js';
import { refuseEditedMigrations } from './migration-hashes.js';
import { MIGRATION_NAMES } from './migrations.js';

const ASK_EVERY_MS = 500;
const LOGIN_REFUSED: ReadonlySet<unknown> = new Set(['28P01', '28000']);
/** No tables of migrations yet, or none that this role may read. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['42P01', '42501']);

/** How a process that waits says so to those around it. */
export interface StandBy {
  /** Called again and again with what is waited for. */
  report(reason: string): Promise<void>;
  end(): Promise<void>;
}

/** Connects; a plane's role may be there only once `migrate` has run. @throws Error as the driver does, for timeouts after a minute. */
export async function connect(database: DataSource, url: string, standBy: StandBy): Promise<void> {
  const user = decodeURIComponent(new URL(url).username);
  for (;;) {
    try {
      await retryConnect(
        () => database.initialize(),
        (reason) => standBy.report(reason),
      );
      return;
    } catch (error) {
      if (!isPlaneRole(user) || !LOGIN_REFUSED.has(codeOf(error))) throw error;
      await standBy.report(
        `The database does not let ${user} in: migrate has not run, or the password is wrong.`,
      );
      await sleep(ASK_EVERY_MS);
    }
  }
}

/**
 * Waits until the schema has every migration that this build knows. A newer schema is fine: it was expanded first.
 *
 * @throws Error when a migration was edited after it had been applied.
 */
export async function awaitSchema(database: DataSource, standBy: StandBy): Promise<void> {
  for (;;) {
    const missing = await listMissing(database);
    if (missing.length === 0) return;
    await standBy.report(`The database waits for ${missing.length} migrations: run migrate.`);
    await sleep(ASK_EVERY_MS);
  }
}

async function listMissing(database: DataSource): Promise<string[]> {
  try {
    const rows = await database.query<{ name: string }[]>('select name from migrations');
    await refuseEditedMigrations(database);
    const applied = new Set(rows.map((row) => row.name));
    return MIGRATION_NAMES.filter((name) => !applied.has(name));
  } catch (error) {
    if (NOT_THERE.has(codeOf(error))) return [...MIGRATION_NAMES];
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
