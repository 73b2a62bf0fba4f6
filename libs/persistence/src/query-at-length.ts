import type { DataSource } from 'typeorm';

const AT_LENGTH_MS = 30_000;

/** Asks what reads much and may take half a minute, on a connection whose statements otherwise may not. Locks no wallet. */
export function queryAtLength<Row>(
  database: DataSource,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return database.transaction(async (manager) => {
    await manager.query(`set local statement_timeout = ${AT_LENGTH_MS}`);
    return manager.query<Row[]>(sql, values);
  });
}
