import { UsageRollups } from '@mg/persistence/billing';
import { errorMessage, type Logger, repeatEvery, type Repetition } from '@mg/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from './logger-token.js';

const EVERY_MS = 1_000;
/** After a round that had nothing to count. */
const QUIET_EVERY_MS = 3_000;
const BATCH = 5_000;

/** Adds calls and charges to the usage rollups, every second while there are any. Postgres lets one plane do it at a time. */
@Injectable()
export class UsageAggregator {
  #repetition: Repetition | undefined;
  #failing = false;
  #isQuiet = false;

  constructor(
    private readonly usage: UsageRollups,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#repetition = repeatEvery(
      () => (this.#isQuiet ? QUIET_EVERY_MS : EVERY_MS),
      () => this.#aggregateAll(),
      (error) => {
        // What waits is counted from where it waits: nothing is wrong but slow.
        if (!this.#failing)
          this.logger.warn({ reason: errorMessage(error) }, 'usage rollups cannot be kept at the moment');
        this.#failing = true;
      },
    );
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }

  async #aggregateAll(): Promise<void> {
    const wasQuiet = this.#isQuiet;
    // If it fails for want of time, the next round has more.
    this.#isQuiet = false;
    let counted = await this.usage.aggregate(BATCH, !wasQuiet);
    this.#isQuiet = counted === 0;
    while (counted === BATCH) counted = await this.usage.aggregate(BATCH);
    this.#failing = false;
  }
}
