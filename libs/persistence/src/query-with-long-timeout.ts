import type { DataSource } from 'typeorm';

const STATEMENT_TIMEOUT_MS = 30_000;

/** Runs a query that reads much and may take half a minute, on a connection with a shorter statement timeout. Locks no wallet. */
export function queryWithLongTimeout<Row>(
  database: DataSource,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return database.transaction(async (manager) => {
    await manager.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    return manager.query<Row[]>(sql, values);
  });
}
