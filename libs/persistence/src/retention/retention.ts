import type { DataSource } from 'typeorm';

export const EXPIRING_ROWS = ['logs', 'journal', 'holds'] as const;
/** Rows that every call leaves behind and that are deleted after a while. Entries of the ledger never are. */
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

  /** Drops the oldest partition if all of it is older than so many days; answers its name. */
  async dropPartition(kind: PartitionedRows, days: number): Promise<string | undefined> {
    const [row] = await this.database.query<{ dropped: string | null }[]>(
      'select drop_partition($1, $2) as dropped',
      [TABLES[kind], days],
    );
    return row?.dropped ?? undefined;
  }
}
