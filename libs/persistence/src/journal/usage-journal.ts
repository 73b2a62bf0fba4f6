import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalRow } from '@mg/contract';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.js';
import { writeLine } from './segment-file.js';
import type { UsageSpool } from './usage-spool.js';

/** For how long an answer waits for its row where the spool does not take it. */
const WRITTEN_WITHIN_MS = 2_000;

export interface UsageJournalOptions extends BatchWriterOptions<JournalRow> {
  readonly spool: Pick<UsageSpool, 'append' | 'drop' | 'has'>;
  /** Keeps a refused row for an operator, as a line. */
  readonly setAside: (line: string) => Promise<void>;
}

/** Rows that a process that stops leaves behind. */
export interface UnwrittenRows {
  /** They wait in the spool for the next start. */
  readonly spooled: number;
  /** Their calls are not charged. */
  readonly lost: number;
}

/** What a gateway tells billing of its calls: written in batches, and kept in the spool until it is where an answer rests on it. */
export class UsageJournal {
  readonly #options: UsageJournalOptions;
  readonly #writer: BatchWriter<JournalRow>;

  constructor(options: UsageJournalOptions) {
    this.#options = options;
    this.#writer = new BatchWriter<JournalRow>({
      ...options,
      write: (rows) => this.#write(rows),
      onFailure: (error, row) => this.#noteFailure(error, row),
    });
  }

  /** Rows not yet written to Postgres. */
  get pending(): number {
    return this.#writer.pending;
  }

  /** For how long writing to Postgres has been failing, in milliseconds; 0 when it works. */
  get failingMs(): number {
    return this.#writer.failingMs;
  }

  /**
   * Adds a row that no answer rests on. A `checkpoint` that is lost with the process makes its call cost a little less, and
   * without its `cancel` a hold is released by the sweeper: neither is worth a system call for each.
   */
  add(row: JournalRow): void {
    this.#writer.add(row);
  }

  /**
   * Adds what a call is charged by, or a `cancel` with what its attempts may cost us. Once it has returned, and what it returned
   * has resolved, the row outlives this process, and the last byte of the answer may go out. Where there is no spool it waits
   * for Postgres, for two seconds at most.
   *
   * @returns `undefined` where nothing is to be waited for.
   */
  charge(row: JournalRow): Promise<void> | undefined {
    const isKept = this.#options.spool.append(row);
    this.#writer.add(row);
    if (isKept) return undefined;
    return Promise.race([this.#writer.flush(), sleep(WRITTEN_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Resolves when every row added so far is written to Postgres. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Writes what is left, and tries for so long. */
  async close(withinMs: number): Promise<UnwrittenRows> {
    const rows = await this.#writer.close(withinMs);
    const charged = rows.filter(({ phase }) => phase === 'usage');
    const spooled = charged.filter((row) => this.#options.spool.has(row)).length;
    return { spooled, lost: charged.length - spooled };
  }

  async #write(rows: readonly JournalRow[]): Promise<void> {
    await this.#options.write(rows);
    this.#options.spool.drop(rows);
  }

  #noteFailure(error: Error, row: JournalRow | undefined): void {
    this.#options.onFailure(error, row);
    if (row && (row.phase === 'usage' || row.waste)) void this.#setAside(row);
  }

  /** A row that cannot be kept aside stays in its segment. */
  async #setAside(row: JournalRow): Promise<void> {
    try {
      await this.#options.setAside(writeLine(row));
      this.#options.spool.drop([row]);
    } catch (error) {
      this.#options.onFailure(error as Error);
    }
  }
}
