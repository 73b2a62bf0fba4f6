import type { DataSource } from 'typeorm';
import { queryWithLongTimeout } from '../query-with-long-timeout.js';

/** The hourly and daily rollups of usage (`usage_cell`), kept up to date with the request log and the ledger. */
export class UsageRollups {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the oldest pending changes (`usage_change`) to the rollups, each once, however many processes call it.
   *
   * @returns how many were added; as many as the limit means that more may be pending.
   */
  async aggregate(limit: number): Promise<number> {
    const [row] = await queryWithLongTimeout<{ folded: number }>(
      this.database,
      'select usage_fold($1) as folded',
      [limit],
    );
    return row?.folded ?? 0;
  }
}
