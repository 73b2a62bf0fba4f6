import type { NanoUsd } from '@mg/contract';
import type { DataSource } from 'typeorm';
import type { PricedWaste } from './price-journal-rows.js';
import { retryConflicts } from './retry-conflicts.js';

/** A wasted attempt that was booked just now. */
export interface BookedWaste {
  /** The channel's name; empty where it is not known. */
  readonly channel: string;
  readonly reason: string;
  readonly amount: NanoUsd;
}

interface BookedRow {
  readonly channel: string;
  readonly reason: string;
  readonly amount: string;
}

/** Books what upstreams may bill us for and no caller pays. Each verb may be asked again: an attempt is booked once. */
export class WasteLedger {
  constructor(private readonly database: DataSource) {}

  /** Books wasted attempts; answers those that were not booked before. */
  async book(attempts: readonly PricedWaste[]): Promise<BookedWaste[]> {
    return this.#ask('select * from book_waste($1::jsonb)', JSON.stringify(attempts));
  }

  /** Books calls that ended with their gateway, uncharged; answers those that were not booked before. */
  async bookLostCalls(requestIds: readonly string[]): Promise<BookedWaste[]> {
    return this.#ask('select * from book_lost_calls($1::uuid[])', requestIds);
  }

  /** Calls that were booked as lost, and whose end their gateway has told after all. */
  async takeBackLostCalls(requestIds: readonly string[]): Promise<void> {
    await retryConflicts(() => this.database.query('select take_back_lost_calls($1::uuid[])', [requestIds]));
  }

  async #ask(sql: string, parameter: unknown): Promise<BookedWaste[]> {
    const rows = await retryConflicts(() => this.database.query<BookedRow[]>(sql, [parameter]));
    return rows.map(({ channel, reason, amount }) => ({ channel, reason, amount: BigInt(amount) }));
  }
}
