import type { DataSource } from 'typeorm';
import { queryAtLength } from '../query-at-length.js';

/** Keeps the sums of usage up to date with what calls and the ledger told. */
export class UsageLedger {
  constructor(private readonly database: DataSource) {}

  /**
   * Adds the oldest changes that wait to the sums, each once, whoever else tries to.
   *
   * @returns how many were added; as many as asked for means that more may wait.
   */
  async fold(limit: number): Promise<number> {
    const [row] = await queryAtLength<{ folded: number }>(this.database, 'select usage_fold($1) as folded', [
      limit,
    ]);
    return row?.folded ?? 0;
  }
}
