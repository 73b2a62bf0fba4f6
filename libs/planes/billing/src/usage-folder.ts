import type { UsageLedger } from '@mg/persistence';
import type { Logger } from '@mg/runtime';
import { reasonOf } from './reason-of.js';
import { type Repetition, repeatEvery } from './repeat-every.js';

const EVERY_MS = 1_000;
const BATCH = 5_000;

/** Adds what was called and charged to the sums of usage, every second. Postgres lets one plane do it at a time. */
export class UsageFolder {
  #repetition: Repetition | undefined;
  #failing = false;

  constructor(
    private readonly usage: UsageLedger,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#repetition = repeatEvery(
      EVERY_MS,
      () => this.#foldAll(),
      (error) => {
        // What waits is counted from where it waits: nothing is wrong but slow.
        if (!this.#failing)
          this.logger.warn({ reason: reasonOf(error) }, 'sums of usage cannot be kept at the moment');
        this.#failing = true;
      },
    );
  }

  async close(): Promise<void> {
    await this.#repetition?.close();
  }

  async #foldAll(): Promise<void> {
    while ((await this.usage.fold(BATCH)) === BATCH);
    this.#failing = false;
  }
}
