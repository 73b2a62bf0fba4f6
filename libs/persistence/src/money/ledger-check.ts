import type { DataSource } from 'typeorm';
import { queryWithLongTimeout } from '../query-with-long-timeout.js';
import type { DriftRow } from './wallet-ledger.js';

/** How much one step reads: some hundred milliseconds of the database's time. */
const ENTRIES_A_STEP = 200_000;
const TASKS_A_STEP = 5_000;

export interface LedgerCheckResult {
  /** Figures that differ from what their entries or holds sum up to. */
  readonly rows: readonly DriftRow[];
  /** How long ago every entry and every task had been read again, in seconds. */
  readonly roundAgeSeconds: number;
}

export interface StepOptions {
  /** How long after the end of a round the next begins. */
  readonly roundEverySeconds: number;
  readonly entries?: number;
  readonly tasks?: number;
}

/**
 * The check of the ledger that takes as long as there are new entries and open holds, by sums of the older entries that are
 * kept. In rounds everything is read again, slice by slice, so that no difference stays unseen.
 */
export class LedgerCheck {
  constructor(private readonly database: DataSource) {}

  /**
   * Brings the sums forward and reads one slice of the round in progress.
   *
   * @returns whether there is more to read at once; not while another plane does it.
   */
  async step({
    roundEverySeconds,
    entries = ENTRIES_A_STEP,
    tasks = TASKS_A_STEP,
  }: StepOptions): Promise<boolean> {
    const [row] = await queryWithLongTimeout<{ more: boolean }>(
      this.database,
      'select ledger_check_step($1, $2, make_interval(secs => $3)) as more',
      [entries, tasks, roundEverySeconds],
    );
    return row?.more === true;
  }

  /** Holds the ledger against itself, in one snapshot; `undefined` until the first round has ended. */
  async find(): Promise<LedgerCheckResult | undefined> {
    const [state] = await this.database.query<{ age: string }[]>(
      `select extract(epoch from now() - round_finished_at) as age from ledger_check where round is not null`,
    );
    if (state === undefined) return undefined;
    const rows = await queryWithLongTimeout<DriftRow>(this.database, 'select * from recent_drift()');
    return { rows, roundAgeSeconds: Number(state.age) };
  }
}
