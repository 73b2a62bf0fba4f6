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

type Booking = () => Promise<BookedWaste[]>;

/** Bookings that are kept at most, of up to 500 attempts each; the oldest are given up for newer ones. */
const MOST_KEPT = 100;

/**
 * Books what upstreams may bill us for and no caller pays. Each verb may be asked again: an attempt is booked once. A
 * booking that fails is kept in memory until `bookKept`, for no charge waits for it.
 */
export class WasteLedger {
  #kept: Booking[] = [];

  constructor(private readonly database: DataSource) {}

  /** Books wasted attempts; answers those that were not booked before. */
  async book(attempts: readonly PricedWaste[]): Promise<BookedWaste[]> {
    return this.#doOrKeep(() => this.#ask('select * from book_waste($1::jsonb)', JSON.stringify(attempts)));
  }

  /** Books calls that ended with their gateway, uncharged; answers those that were not booked before. */
  async bookLostCalls(requestIds: readonly string[]): Promise<BookedWaste[]> {
    return this.#doOrKeep(() => this.#ask('select * from book_lost_calls($1::uuid[])', requestIds));
  }

  /** Calls that were booked as lost, and whose end their gateway has told after all. */
  async takeBackLostCalls(requestIds: readonly string[]): Promise<void> {
    await this.#doOrKeep(async () => {
      await retryConflicts(() =>
        this.database.query('select take_back_lost_calls($1::uuid[])', [requestIds]),
      );
      return [];
    });
  }

  /**
   * Books videos that were given up after a provider had taken them, of the last two days; answers those that were not
   * booked before.
   *
   * @param limit videos at most.
   */
  async bookRefundedVideos(limit: number): Promise<BookedWaste[]> {
    return this.#ask('select * from book_refunded_videos($1)', limit);
  }

  /** Tries once more what could not be booked, oldest first; answers what was booked by it. What fails again is kept. */
  async bookKept(): Promise<BookedWaste[]> {
    const kept = this.#kept;
    this.#kept = [];
    const booked: BookedWaste[] = [];
    for (const booking of kept) booked.push(...(await this.#doOrKeep(booking).catch(() => [])));
    return booked;
  }

  async #doOrKeep(booking: Booking): Promise<BookedWaste[]> {
    try {
      return await booking();
    } catch (error) {
      this.#kept = [...this.#kept, booking].slice(-MOST_KEPT);
      throw error;
    }
  }

  async #ask(sql: string, parameter: unknown): Promise<BookedWaste[]> {
    const rows = await retryConflicts(() => this.database.query<BookedRow[]>(sql, [parameter]));
    return rows.map(({ channel, reason, amount }) => ({ channel, reason, amount: BigInt(amount) }));
  }
}
