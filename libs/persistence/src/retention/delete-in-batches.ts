import type { DataSource } from 'typeorm';

const ROWS_AT_ONCE = 500;

/**
 * Deletes old rows in batches, so that none of them stays locked for long.
 *
 * @param statement deletes rows older than `$1` hours, at most `$2` of them.
 */
export async function deleteInBatches(database: DataSource, statement: string, hours: number): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE;) {
    [, deleted] = await database.query<[unknown[], number]>(statement, [hours, ROWS_AT_ONCE]);
  }
}
