import { setTimeout as sleep } from 'node:timers/promises';

export interface BatchWriterOptions<Row> {
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Rows at most in one round trip. */
  readonly maxBatch: number;
  /** How long the first row of a batch waits for company, unless somebody waits for it or the batch is full. */
  readonly delayMs: number;
  /** The same while batches hold several rows; as long as otherwise unless it is said. */
  readonly busyDelayMs?: number;
  /** Called for each failed write, and for each row that the database refuses for what it is. */
  readonly onFailure: (error: Error, refusedRow?: Row) => void;
}

/** From this many rows on a batch is worth a longer wait: many come, and fewer writes cost less. */
const SEVERAL_ROWS = 4;
const RETRY_MS = 200;
/** A write that takes longer is as bad as one that fails. */
const SLOW_MS = 1_000;

/**
 * Gathers rows and writes them in batches, in order, off the path of the call that made them. A write that fails is
 * tried again until the database is back; only a row that the database refuses for what it is gets dropped.
 */
export class BatchWriter<Row> {
  readonly #options: BatchWriterOptions<Row>;
  #rows: Row[] = [];
  #running: Promise<void> | undefined;
  #failingSinceMs: number | undefined;
  #writingSinceMs: number | undefined;
  #closeByMs = Number.POSITIVE_INFINITY;
  #added = 0;
  #done = 0;
  /** So many of all rows ever added are waited for. */
  #wanted = 0;
  #isBusy = false;
  #attempt = Promise.withResolvers<void>();
  /** Ends the wait for company early; only while there is one. */
  #stopWaiting: (() => void) | undefined;

  constructor(options: BatchWriterOptions<Row>) {
    this.#options = options;
  }

  /** Rows not yet written. */
  get pending(): number {
    return this.#rows.length;
  }

  /** For how long writing has been failing, or has had no answer, in milliseconds; 0 when it works. */
  get failingMs(): number {
    const nowMs = performance.now();
    if (this.#failingSinceMs !== undefined) return nowMs - this.#failingSinceMs;
    const writingMs = nowMs - (this.#writingSinceMs ?? nowMs);
    return writingMs > SLOW_MS ? writingMs : 0;
  }

  add(row: Row): void {
    this.#rows.push(row);
    this.#added++;
    if (this.#rows.length >= this.#options.maxBatch) this.#stopWaiting?.();
    this.#running ??= this.#run();
  }

  /** Writes at once. Resolves when every row added so far is written, however many are added meanwhile. */
  async flush(): Promise<void> {
    const target = this.#added;
    this.#wanted = target;
    this.#stopWaiting?.();
    while (this.#running !== undefined && this.#done < target) await this.#attempt.promise;
  }

  /**
   * Writes what is left, and tries for so long.
   *
   * @returns the rows that could not be written because the database is away.
   */
  async close(withinMs: number): Promise<readonly Row[]> {
    this.#closeByMs = performance.now() + withinMs;
    this.#stopWaiting?.();
    await Promise.race([this.#running, sleep(withinMs, undefined, { ref: false })]);
    return this.#rows;
  }

  async #run(): Promise<void> {
    while (this.#rows.length > 0) {
      await this.#waitForCompany();
      const batch = this.#rows.slice(0, this.#options.maxBatch);
      this.#isBusy = batch.length >= SEVERAL_ROWS;
      this.#writingSinceMs = performance.now();
      const written = await this.#tryWrite(batch);
      this.#writingSinceMs = undefined;
      if (written) {
        this.#rows.splice(0, batch.length);
        this.#done += batch.length;
        this.#endAttempt();
      } else if (performance.now() + RETRY_MS > this.#closeByMs) break;
      else await sleep(RETRY_MS);
    }
    this.#running = undefined;
    this.#endAttempt();
  }

  /** Rows that came while a batch was written wait as well: batches would else be as small as writing is quick. */
  #waitForCompany(): Promise<void> | undefined {
    const isAwaited = this.#done < this.#wanted || this.#closeByMs !== Number.POSITIVE_INFINITY;
    const isFull = this.#rows.length >= this.#options.maxBatch;
    if (isAwaited || isFull || this.#failingSinceMs !== undefined) return undefined;
    const { delayMs, busyDelayMs = delayMs } = this.#options;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#stopWaiting?.(), this.#isBusy ? busyDelayMs : delayMs);
      this.#stopWaiting = () => {
        this.#stopWaiting = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Those who wait for their rows look again. */
  #endAttempt(): void {
    const { resolve } = this.#attempt;
    this.#attempt = Promise.withResolvers();
    resolve();
  }

  async #tryWrite(batch: readonly Row[]): Promise<boolean> {
    try {
      await this.#options.write(batch);
      this.#failingSinceMs = undefined;
      return true;
    } catch (error) {
      if (isRefusal(error)) return this.#writeOneByOne(batch, error);
      this.#failingSinceMs ??= performance.now();
      this.#options.onFailure(toError(error));
      return false;
    }
  }

  /** One bad row must not hold up the others. */
  async #writeOneByOne(batch: readonly Row[], refusal: unknown): Promise<boolean> {
    const [only] = batch;
    if (batch.length === 1) {
      this.#options.onFailure(toError(refusal), only);
      return true;
    }
    for (const row of batch) {
      if (!(await this.#tryWrite([row]))) return false;
    }
    return true;
  }
}

/** Postgres classes 22 (data exception) and 23 (integrity violation): the row is wrong, not the moment. */
function isRefusal(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return /^2[23][0-9A-Z]{3}$/.test(code);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
