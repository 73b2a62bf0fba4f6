import { JournalLedger, type PostedBatch } from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { LOGGER } from './logger-token.js';

const BATCH = 500;
/** A batch that fails is halved down to this: one that is too large for the database's time comes through in parts. */
const SMALLEST_BATCH = 8;
const POLL_MS = 1_000;
/** The same while Postgres tells of new rows and there were none: only a row that is set back by hand is found this way. */
const QUIET_POLL_MS = 5_000;
/** Rows come in bursts of small batches: waiting this long posts them together. */
const GATHER_MS = 20;
/** The same while many come: a batch costs as much as some thirty of its rows, whatever is in it. Whoever needs them has them posted now. */
const GATHER_MANY_MS = 250;
const MANY_ROWS = 10;

/** Posts what gateways leave in the journal, soon after they wrote it: within a second also where Postgres cannot tell of it. */
@Injectable()
export class JournalPoster {
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #poll: Repetition | undefined;
  #failing = false;
  #batch = BATCH;
  #isBusy = false;
  #isQuiet = false;

  constructor(
    private readonly journal: JournalLedger,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param isFollowed whether `wake` is called for every new row at the moment. */
  start(isFollowed: () => boolean): void {
    this.#poll = repeatEvery(
      () => (this.#isQuiet && isFollowed() ? QUIET_POLL_MS : POLL_MS),
      () => this.#post(false),
      () => undefined,
    );
  }

  /** Something was written: post it in a moment. */
  wake(): void {
    this.#gathering ??= setTimeout(
      () => {
        this.#gathering = undefined;
        void this.#post(false);
      },
      this.#isBusy ? GATHER_MANY_MS : GATHER_MS,
    );
  }

  /** Resolves when everything that was in the journal at the time of the call is posted, or posting has failed. */
  postNow(): Promise<void> {
    this.#next ??= this.#post(true);
    return this.#next;
  }

  /** `postNow`, before a refusal is asked again: always worth it, as another process may have written the rows. */
  async chargeWaiting(): Promise<true> {
    await this.postNow();
    return true;
  }

  async close(): Promise<void> {
    await this.#poll?.close();
    clearTimeout(this.#gathering);
    await this.postNow();
  }

  /** One run after the other; a run that is asked for while another is in progress begins after it. */
  #post(wait: boolean): Promise<void> {
    this.#last = this.#postAfter(this.#last, wait);
    return this.#last;
  }

  async #postAfter(earlier: Promise<void>, wait: boolean): Promise<void> {
    await earlier;
    if (wait) this.#next = undefined;
    await this.#postAll(wait);
  }

  async #postAll(wait: boolean): Promise<void> {
    try {
      for (let isFull = true; isFull;) {
        const batch = await this.journal.postWaiting({ limit: this.#batch, wait });
        this.#report(batch);
        this.#isBusy = batch.taken >= MANY_ROWS;
        this.#isQuiet = batch.taken === 0;
        // A full batch of which another plane posts everything is left to it, unless that is to be waited for.
        isFull = batch.taken === this.#batch && (wait || batch.rows.length > 0);
        this.#batch = Math.min(this.#batch * 2, BATCH);
      }
      this.#failing = false;
    } catch (error) {
      this.#isQuiet = false;
      this.#batch = Math.max(Math.floor(this.#batch / 2), SMALLEST_BATCH);
      if (!this.#failing)
        this.logger.error({ reason: errorMessage(error) }, 'the journal cannot be posted at the moment');
      this.#failing = true;
    }
  }

  #report(batch: PostedBatch): void {
    this.metrics.observeBatch(batch);
    this.metrics.waste.count(batch.waste);
    if (batch.wasteFailure)
      this.logger.error(
        { reason: errorMessage(batch.wasteFailure) },
        'waste could not be booked and is tried again',
      );
    const postponed = batch.rows.filter((row) => row.outcome === 'postponed');
    if (postponed.length > 0) {
      this.logger.warn(
        { count: postponed.length, reason: postponed[0]?.failure },
        'usage could not be posted at the moment and is tried again',
      );
    }
    for (const row of batch.rows) {
      const facts = { request_id: row.requestId, outcome: row.outcome };
      if (row.outcome === 'failed')
        this.logger.error({ ...facts, reason: row.failure }, 'usage could not be posted');
      if (row.outcome === 'unknown')
        this.logger.error(facts, 'a cancellation or checkpoint of a request that has no hold');
      if (row.outcome === 'mismatched')
        this.logger.error(facts, 'usage differs from what was charged for good');
    }
  }
}
