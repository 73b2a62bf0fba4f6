import { DataSource, type Logger } from 'typeorm';
import { CONSOLE_ENTITIES } from '../console/entities.js';
import { MIGRATIONS } from './migrations.js';

export interface ConnectionOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
}

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
    url: options.url,
    applicationName: options.applicationName,
    poolSize: options.poolSize,
    synchronize: false,
    migrations: MIGRATIONS,
    logger: SILENT,
    entities: CONSOLE_ENTITIES,
    extra: { connectionTimeoutMillis: 5_000, statement_timeout: 30_000 },
  });
}
