import { type LedgerCheckResult, LedgerCheck } from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import type { DriftFigures } from './billing-metrics.js';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 60_000;
/** Until the first check has come to its end: another plane may be reading, or a transaction be open. */
const FIRST_EVERY_MS = 1_000;
/** Checks may take one twentieth of the database's time and no more. */
const IDLE_PER_WORK = 19;
/** For how long a check reads on in its round; steps are short, so that it ends soon after. */
const READS_FOR_MS = 2_000;
const ROUND_EVERY_SECONDS = 86_400;
/** After so long without a check it is not known whether the ledger balances. */
const KNOWN_FOR_MS = 5 * 60_000;
const SHOWN_ROWS = 20;

/** Holds the ledger against itself all the time; any difference is a fault of this software and is shouted about. */
@Injectable()
export class DriftChecker {
  #repetition: Repetition | undefined;
  #lastMs = 0;
  #checked: LedgerCheckResult | undefined;
  #closing = false;
  /** Of the last check that came to its end, or of the start. */
  #checkedAt = performance.now();

  constructor(
    private readonly books: LedgerCheck,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What is known at this moment. Differences that were found stay until a check finds none. */
  get figures(): DriftFigures {
    const ageMs = performance.now() - this.#checkedAt;
    const rows = this.#checked?.rows.length;
    return {
      rows: rows === 0 && ageMs > KNOWN_FOR_MS ? undefined : rows,
      checkAgeSeconds: ageMs / 1_000,
      roundAgeSeconds: (this.#checked?.roundAgeSeconds ?? 0) + ageMs / 1_000,
    };
  }

  start(): void {
    this.#repetition = repeatEvery(
      () => Math.max(this.#checked ? EVERY_MS : FIRST_EVERY_MS, this.#lastMs * IDLE_PER_WORK),
      () => this.check(),
      (error) =>
        this.logger.warn({ reason: errorMessage(error) }, 'the ledger cannot be checked at the moment'),
    );
  }

  async check(): Promise<void> {
    const started = performance.now();
    await this.#readOn(started + READS_FOR_MS);
    const checked = await this.books.find();
    this.#lastMs = performance.now() - started;
    if (checked === undefined) return;
    this.#checked = checked;
    this.#checkedAt = performance.now();
    const { rows } = checked;
    if (rows.length > 0) {
      this.logger.error(
        { count: rows.length, rows: rows.slice(0, SHOWN_ROWS) },
        'the ledger does not balance',
      );
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#repetition?.close();
  }

  async #readOn(untilMs: number): Promise<void> {
    let more = true;
    while (more && !this.#closing && performance.now() < untilMs) {
      more = await this.books.step({ roundEverySeconds: ROUND_EVERY_SECONDS });
    }
  }
}
