import type { DataSource } from 'typeorm';

const ROWS_AT_ONCE = 500;

/**
 * Deletes old rows in batches, so that none of them stays locked for long.
 *
 * @param statement deletes rows older than `$1` hours, at most `$2` of them.
 * @param rowsAtOnce fewer where others are deleted with each row.
 */
export async function deleteInBatches(
  database: DataSource,
  statement: string,
  hours: number,
  rowsAtOnce = ROWS_AT_ONCE,
): Promise<void> {
  for (let deleted = rowsAtOnce; deleted === rowsAtOnce;) {
    [, deleted] = await database.query<[unknown[], number]>(statement, [hours, rowsAtOnce]);
  }
}
