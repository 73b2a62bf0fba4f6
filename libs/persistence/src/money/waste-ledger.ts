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

/** A booking that failed. */
interface FailedBooking {
  readonly book: () => Promise<BookedWaste[]>;
  /** When it failed first, on the monotonic clock. */
  readonly sinceMs: number;
}

/** What became of bookings that had failed. */
export interface RetriedWaste {
  readonly booked: readonly BookedWaste[];
  /** Bookings that are not tried again, since the last call. */
  readonly givenUp: number;
  /** Why the last of them failed. */
  readonly reason: string | undefined;
}

/** Attempts that are written in one step: after an outage 500 calls have thousands. */
const BOOKED_AT_ONCE = 500;
/** Failed bookings at most, each of the attempts of up to 500 calls; the oldest are given up for newer ones. */
const MAX_FAILED = 100;
const RETRY_FOR_MS = 3_600_000;

/**
 * Books what upstreams may bill us for and no caller pays. Each verb may be called again: an attempt is booked once. A
 * booking that fails is kept in memory for `retryFailed`, for an hour: no charge waits for it.
 */
export class WasteLedger {
  #failed: FailedBooking[] = [];
  #givenUp = 0;
  #reason: string | undefined;

  constructor(
    private readonly database: DataSource,
    private readonly retryForMs = RETRY_FOR_MS,
  ) {}

  /** Books wasted attempts; answers those that were not booked before. */
  async book(attempts: readonly PricedWaste[]): Promise<BookedWaste[]> {
    const booked: BookedWaste[] = [];
    let next = 0;
    // Tried again, it goes on where it failed, and answers what was booked before that, too.
    return this.#bookOrKeep(async () => {
      for (; next < attempts.length; next += BOOKED_AT_ONCE) {
        const some = JSON.stringify(attempts.slice(next, next + BOOKED_AT_ONCE));
        booked.push(...(await this.#query('select * from book_waste($1::jsonb)', some)));
      }
      return booked;
    });
  }

  /** Books calls that ended with their gateway, uncharged; answers those that were not booked before. */
  async bookLostCalls(requestIds: readonly string[]): Promise<BookedWaste[]> {
    return this.#bookOrKeep(() => this.#query('select * from book_lost_calls($1::uuid[])', requestIds));
  }

  /** Calls that were booked as lost, and whose end their gateway has reported after all. */
  async takeBackLostCalls(requestIds: readonly string[]): Promise<void> {
    await this.#bookOrKeep(async () => {
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
    return this.#query('select * from book_refunded_videos($1)', limit);
  }

  /** Tries once more what could not be booked, oldest first. What fails again is kept until its time is over. */
  async retryFailed(): Promise<RetriedWaste> {
    const failed = this.#failed;
    this.#failed = [];
    const booked: BookedWaste[] = [];
    for (const one of failed) {
      try {
        booked.push(...(await one.book()));
      } catch (error) {
        this.#keep(one, error);
      }
    }
    const givenUp = this.#givenUp;
    this.#givenUp = 0;
    return { booked, givenUp, reason: this.#reason };
  }

  async #bookOrKeep(book: () => Promise<BookedWaste[]>): Promise<BookedWaste[]> {
    try {
      return await book();
    } catch (error) {
      this.#keep({ book, sinceMs: performance.now() }, error);
      throw error;
    }
  }

  #keep(failed: FailedBooking, error: unknown): void {
    if (performance.now() - failed.sinceMs < this.retryForMs) this.#failed.push(failed);
    else this.#giveUp(error);
    while (this.#failed.length > MAX_FAILED) {
      this.#failed.shift();
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    this.#givenUp++;
    this.#reason = error instanceof Error ? error.message : String(error);
  }

  async #query(sql: string, parameter: unknown): Promise<BookedWaste[]> {
    const rows = await retryConflicts(() => this.database.query<BookedRow[]>(sql, [parameter]));
    return rows.map(({ channel, reason, amount }) => ({ channel, reason, amount: BigInt(amount) }));
  }
}
