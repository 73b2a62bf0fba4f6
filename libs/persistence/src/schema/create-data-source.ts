import pg from 'pg';
import { DataSource, type Logger } from 'typeorm';
import { ENTITIES } from '../entities/entities.js';
import { MIGRATIONS } from './migrations.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** How long one statement may take, in milliseconds; half a minute when left out, for reports and exports. */
  readonly statementTimeoutMs?: number;
}

/** Of planes that callers wait for: a statement that takes longer is of no use to them any more. */
export const STATEMENT_TIMEOUT_MS = 3_000;
const LONG_STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 1_000;
const IDLE_IN_TRANSACTION_MS = 5_000;
/**
 * A connection that nobody used for so long is closed. Rounds of work come more often: after the driver's own ten seconds, each
 * would log in anew, which costs more CPU than its statements.
 */
const UNUSED_CONNECTION_MS = 90_000;
/**
 * Settings of each connection: the server notices within half a minute that the other side has vanished, so that no
 * lock of a machine that is gone is kept (https://www.postgresql.org/docs/18/runtime-config-connection.html); and it
 * compiles no statement, which takes longer than any of ours is to take.
 */
const SERVER_OPTIONS =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=30000 -c jit=off';

const ignore = (): void => undefined;
/** What goes wrong is thrown, and whoever catches it logs it; TypeORM would print it beside the log. */
const SILENT: Logger = {
  logQuery: ignore,
  logQueryError: ignore,
  logQuerySlow: ignore,
  logSchemaBuild: ignore,
  logMigration: ignore,
  log: ignore,
};

/** A source that is not connected yet. */
export function createDataSource(options: ConnectionOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    // Otherwise it is looked for by its name, at run time, which a bundle has no place for.
    driver: pg,
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    synchronize: false,
    migrations: MIGRATIONS,
    logger: SILENT,
    entities: ENTITIES,
    extra: {
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: UNUSED_CONNECTION_MS,
      statement_timeout: options.statementTimeoutMs ?? LONG_STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options: SERVER_OPTIONS,
    },
  });
}
