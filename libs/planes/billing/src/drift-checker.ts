import { WalletLedger } from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { BillingMetrics } from './billing-metrics.js';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 60_000;
/** A check reads all the books: it may take one twentieth of the database's time and no more. */
const REST_PER_WORK = 19;
const SHOWN_ROWS = 20;

/** Holds the books against themselves all the time; any difference is a fault of this software and is shouted about. */
@Injectable()
export class DriftChecker {
  #repetition: Repetition | undefined;
  #lastMs = 0;
  #rows: number | undefined;

  constructor(
    private readonly ledger: WalletLedger,
    private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Figures found wrong at the last check; `undefined` before the first. */
  get rows(): number | undefined {
    return this.#rows;
  }

  start(): void {
    this.#repetition = repeatEvery(
      () => Math.max(EVERY_MS, this.#lastMs * REST_PER_WORK),
      () => this.check(),
      (error) =>
        this.logger.warn({ reason: errorMessage(error) }, 'the books cannot be checked at the moment'),
    );
  }

  async check(): Promise<void> {
    const started = performance.now();
    const rows = await this.ledger.findDrift();
    this.#lastMs = performance.now() - started;
    this.#rows = rows.length;
    this.metrics.showDrift(rows);
    if (rows.length > 0) {
      this.logger.error({ count: rows.length, rows: rows.slice(0, SHOWN_ROWS) }, 'the books do not agree');
    }
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }
}
