import { setTimeout as sleep } from 'node:timers/promises';

export interface BatchWriterOptions<Row> {
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Rows at most in one round trip. */
  readonly maxBatch: number;
  /** How long the first row of a batch waits for company. */
  readonly delayMs: number;
  /** Told of each failed write, and of each row that the database refuses for what it is. */
  readonly onFailure: (error: Error, refusedRow?: Row) => void;
}

const RETRY_MS = 200;

/**
 * Gathers rows and writes them in batches, in order, off the path of the call that made them. A write that fails is
 * tried again until the database is back; only a row that the database refuses for what it is gets dropped.
 */
export class BatchWriter<Row> {
  readonly #options: BatchWriterOptions<Row>;
  #rows: Row[] = [];
  #running: Promise<void> | undefined;
  #failingSinceMs: number | undefined;
  #closing = false;

  constructor(options: BatchWriterOptions<Row>) {
    this.#options = options;
  }

  /** Rows not yet written. */
  get pending(): number {
    return this.#rows.length;
  }

  /** For how long writing has been failing, in milliseconds; 0 when it works. */
  get failingMs(): number {
    return this.#failingSinceMs === undefined ? 0 : performance.now() - this.#failingSinceMs;
  }

  add(row: Row): void {
    this.#rows.push(row);
    this.#running ??= this.#run();
  }

  /** Resolves when every row added so far is written. */
  async flush(): Promise<void> {
    await this.#running;
  }

  /**
   * Writes what is left.
   *
   * @returns the rows that could not be written because the database is away.
   */
  async close(): Promise<readonly Row[]> {
    this.#closing = true;
    await this.#running;
    return this.#rows;
  }

  async #run(): Promise<void> {
    await sleep(this.#options.delayMs);
    while (this.#rows.length > 0) {
      const batch = this.#rows.slice(0, this.#options.maxBatch);
      const written = await this.#tryWrite(batch);
      if (written) this.#rows.splice(0, batch.length);
      else if (this.#closing) break;
      else await sleep(RETRY_MS);
    }
    this.#running = undefined;
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
