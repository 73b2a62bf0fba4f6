import type { DataSource } from 'typeorm';

export const EXPIRING_ROWS = [
  'logs',
  'journal',
  'holds',
  'tasks',
  'waste',
  'audit',
  'hourly_usage',
  'daily_usage',
] as const;
/** Rows that calls and changes leave behind and that are deleted after a while. Entries of the ledger never are. */
export type ExpiringRows = (typeof EXPIRING_ROWS)[number];

/** Those whose table is cut by the day or the month, which are dropped as a whole. */
export const PARTITIONED_ROWS = ['journal', 'logs'] as const satisfies readonly ExpiringRows[];
export type PartitionedRows = (typeof PARTITIONED_ROWS)[number];

const TABLES: Readonly<Record<PartitionedRows, string>> = { journal: 'usage_journal', logs: 'request_log' };

export interface ExpiredBatch {
  readonly deleted: number;
  /** Where the next batch begins; `undefined` after the last. */
  readonly next: string | undefined;
}

/** Before the first of all ids. */
export const FIRST_BATCH = '00000000-0000-0000-0000-000000000000';

/** Deletes old rows in small batches or whole partitions, which no call waits for. */
export class Retention {
  constructor(private readonly database: DataSource) {}

  /** Looks at the next rows that are older than so many days and deletes those that nobody needs any more. */
  async expire(
    kind: ExpiringRows,
    { days, after, limit }: { readonly days: number; readonly after: string; readonly limit: number },
  ): Promise<ExpiredBatch> {
    const [row] = await this.database.query<{ deleted: number; last_id: string | null }[]>(
      'select * from expire_rows($1, now() - make_interval(days => $2), $3, $4)',
      [kind, days, after, limit],
    );
    return { deleted: row?.deleted ?? 0, next: row?.last_id ?? undefined };
  }

  /** Adds partitions for the days and months to come; answers how many. */
  async addPartitions(kind: PartitionedRows): Promise<number> {
    const [row] = await this.database.query<{ added: number }[]>('select add_partitions($1) as added', [
      TABLES[kind],
    ]);
    return row?.added ?? 0;
  }

  /**
   * Takes the oldest partition out of its table if all of it is older than so many days; answers its name. What writes into
   * the table waits for milliseconds, and no longer than 50 for the lock.
   */
  async detachPartition(kind: PartitionedRows, days: number): Promise<string | undefined> {
    const [row] = await this.database.query<{ detached: string | null }[]>(
      'select detach_partition($1, $2) as detached',
      [TABLES[kind], days],
    );
    return row?.detached ?? undefined;
  }

  /**
   * Drops an index of what was taken out, or at last the table itself, which nobody waits for; answers its name, and
   * `undefined` when nothing is left.
   */
  async dropDetached(kind: PartitionedRows): Promise<string | undefined> {
    const [row] = await this.database.query<{ dropped: string | null }[]>(
      'select drop_detached($1) as dropped',
      [TABLES[kind]],
    );
    return row?.dropped ?? undefined;
  }

  /** Deletes bodies of calls whose time is over, so many at most; answers how many. */
  async expireCapturedBodies(limit: number): Promise<number> {
    const [row] = await this.database.query<{ deleted: number }[]>(
      'select expire_captured_bodies($1) as deleted',
      [limit],
    );
    return row?.deleted ?? 0;
  }

  /** Forgets the state of processes that have been silent for so many days; answers how many. */
  async expireReports(days: number): Promise<number> {
    const [row] = await this.database.query<{ deleted: number }[]>(
      'select expire_reports(make_interval(days => $1)) as deleted',
      [days],
    );
    return row?.deleted ?? 0;
  }
}
