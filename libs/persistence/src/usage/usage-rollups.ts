import type { DataSource } from 'typeorm';
import { queryWithLongTimeout } from '../query-with-long-timeout.js';

/** The hourly and daily rollups of usage (`usage_cell`), kept up to date with the request log and the ledger. */
export class UsageRollups {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the oldest pending changes (`usage_change`) to the rollups, each once, however many processes call it.
   *
   * @param expected whether there is more to add than the usual time of a statement might allow.
   * @returns how many were added; as many as the limit means that more may be pending.
   */
  async aggregate(limit: number, expected = true): Promise<number> {
    const sql = 'select usage_fold($1) as folded';
    const [row] = expected
      ? await queryWithLongTimeout<{ folded: number }>(this.database, sql, [limit])
      : await this.database.query<{ folded: number }[]>(sql, [limit]);
    return row?.folded ?? 0;
  }
}
