import { Client } from 'pg';
import { type Payer, seedPayer } from '../money/seed-payer.js';
import { type CallRows, HOLD_ROWS, JOURNAL_ROWS, LedgerRows, LOG_ROWS, TASK_ROWS } from './call-rows.js';
import { copyRows } from './copy-rows.js';
import { CallSource, DAY_MS, LONGEST_MS, type MadeCall, PAYERS } from './make-calls.js';
import { CELL_COLUMNS, UsageCellRows } from './usage-cell-rows.js';

/** Nano-dollars. */
const OPENING_BALANCE = 1_000_000_000_000_000n;

export interface SeededCalls {
  readonly calls: number;
  /** The calls are spread evenly over so many days before today, in UTC. */
  readonly days: number;
  /** For how many days rows are kept: older ones are left out, as if they had expired. */
  readonly kept: { readonly logs: number; readonly holds: number; readonly journal: number };
  /** Called with what has been written. */
  readonly onProgress?: (sentence: string) => void;
}

/** Lets an empty table look as if it had been cut into partitions so many days ago. */
const CUT_EARLIER = `
  do $$
  declare
    t partitioned_table%rowtype;
    part regclass;
  begin
    select * into strict t from partitioned_table p where p.name = current_setting('seed.table');
    for part in select i.inhrelid::regclass from pg_inherits i where i.inhparent = t.name::regclass loop
      execute format('alter table %I detach partition %s', t.name, part);
      if part::text ~ '_p[0-9]{8}$' then
        execute format('drop table %s', part);
      end if;
    end loop;
    update partitioned_table p
      set begins_at = date_trunc(p.unit, now() - make_interval(days => current_setting('seed.days')::integer), 'UTC')
      where p.name = t.name returning p.* into t;
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', t.name, t.name || '_before',
      first_id_at(t.begins_at));
    execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', t.name, t.name || '_after',
      first_id_at(t.begins_at));
    perform add_partitions(t.name);
  end $$`;

/** The ledger and what else grows with every call, each in a connection and a transaction of its own. */
const PARTS = { ledger: copyLedger, log: copyLog, 'holds, journal and usage': copyTheRest };

/** Tables that are cut by time. */
const PARTITIONED = {
  request_log: { keptAs: 'logs', rows: LOG_ROWS },
  usage_journal: { keptAs: 'journal', rows: JOURNAL_ROWS },
} as const;

interface Seeding extends SeededCalls {
  readonly payers: readonly Payer[];
  readonly source: CallSource;
}

/**
 * Fills the tables that grow with every call as months of traffic would: holds, log, ledger, journal, video tasks and sums
 * of usage. Rows are copied and indexed afterwards. The ledger balances then. Triggers are off meanwhile, which takes a
 * superuser.
 *
 * @returns those who paid.
 * @throws Error when the database has seen a call already.
 */
export async function seedCalls(url: string, seeded: SeededCalls): Promise<Payer[]> {
  const payers = await withClient(url, openPayers);
  for (const [table, { keptAs }] of Object.entries(PARTITIONED)) {
    const days = Math.min(seeded.days, seeded.kept[keptAs]);
    await withClient(url, (client) => inTransaction(client, () => cutEarlier(client, table, days)));
  }
  const untilMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const source = new CallSource(payers, seeded.calls, untilMs - seeded.days * DAY_MS, untilMs);
  await Promise.all(
    Object.entries(PARTS).map(async ([name, copy]) => {
      await withClient(url, (client) =>
        inTransaction(client, () => copy(client, { ...seeded, payers, source })),
      );
      seeded.onProgress?.(name);
    }),
  );
  return payers;
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'seed-calls' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  await client.query(`set local session_replication_role = 'replica'`);
  await client.query(`set local maintenance_work_mem = '256MB'`);
  await work();
  await client.query('commit');
}

async function openPayers(client: Client): Promise<Payer[]> {
  const { rows } = await client.query<{ used: boolean }>(
    'select exists (select from entry) or exists (select from request_log) or exists (select from hold) as used',
  );
  if (rows[0]?.used === true) throw new Error('The database is not empty: it has seen a call or a top-up.');
  const runner = { query: async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows };
  const payers: Payer[] = [];
  while (payers.length < PAYERS) payers.push(await seedPayer(runner, { balance: 0n }));
  return payers;
}

async function copyLedger(client: Client, { payers, source }: Seeding): Promise<void> {
  const ledger = new LedgerRows(payers, OPENING_BALANCE);
  await emptied(client, ['entry'], async () => {
    const openings = ledger.makeOpenings(new Date(source.fromMs).toISOString());
    await copyRows(client, {
      table: 'entry',
      columns: ledger.columns,
      rows: chain(openings, makeRows(ledger, source.all())),
      isFrozen: true,
    });
  });
  for (const { walletId, tokenId } of payers) {
    const balance = ledger.balances.get(walletId) ?? 0n;
    await client.query('update wallet set balance = $2 where id = $1', [walletId, balance]);
    await client.query('update token set used = $2 where id = $1', [tokenId, OPENING_BALANCE - balance]);
  }
}

async function copyLog(client: Client, seeding: Seeding): Promise<void> {
  await copyPartitions(client, seeding, 'request_log');
}

async function copyTheRest(client: Client, seeding: Seeding): Promise<void> {
  const { kept, payers, source } = seeding;
  await copyPartitions(client, seeding, 'usage_journal');
  await emptied(client, ['hold', 'task'], async () => {
    const keptFromMs = source.untilMs - kept.holds * DAY_MS;
    const older = filter(source.between(source.fromMs, keptFromMs), ({ isVideo }) => isVideo);
    await copyRows(client, {
      table: 'hold',
      columns: HOLD_ROWS.columns,
      rows: makeRows(HOLD_ROWS, chain(older, source.between(keptFromMs, source.untilMs))),
      isFrozen: true,
    });
    const videos = filter(source.all(), ({ isVideo }) => isVideo);
    await copyRows(client, {
      table: 'task',
      columns: TASK_ROWS.columns,
      rows: makeRows(TASK_ROWS, videos),
      isFrozen: true,
    });
  });
  const { rows } = await client.query<{ class: number }>(
    'select usage_class(ms) as class from generate_series(0, $1) as ms order by ms',
    [LONGEST_MS],
  );
  const classes = rows.map((row) => row.class);
  const cells = new UsageCellRows(source, payers, classes);
  await copyRows(client, { table: 'usage_cell', columns: CELL_COLUMNS, rows: cells.rows() });
}

async function cutEarlier(client: Client, table: string, days: number): Promise<void> {
  await client.query(`select set_config('seed.table', $1, true), set_config('seed.days', $2, true)`, [
    table,
    String(days),
  ]);
  await client.query(CUT_EARLIER);
}

/** Copies the calls of the last days into a table that is cut by time. */
async function copyPartitions(
  client: Client,
  { kept, source }: Seeding,
  table: keyof typeof PARTITIONED,
): Promise<void> {
  const { keptAs, rows } = PARTITIONED[table];
  const partitions = await client.query<{ partition: string; starts_at: Date; ends_at: Date }>(
    'select * from list_partitions($1)',
    [table],
  );
  const keptFromMs = source.untilMs - kept[keptAs] * DAY_MS;
  await emptied(client, [table], async () => {
    for (const { partition, starts_at, ends_at } of partitions.rows) {
      await copyRows(client, {
        table: partition,
        columns: rows.columns,
        rows: makeRows(rows, source.between(Math.max(starts_at.getTime(), keptFromMs), ends_at.getTime())),
        isFrozen: true,
      });
    }
  });
}

/** Fills tables that have been emptied, without the indexes that are quicker made afterwards. */
async function emptied(client: Client, tables: readonly string[], fill: () => Promise<void>): Promise<void> {
  await client.query(`truncate ${tables.join(', ')} cascade`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
       from pg_index i
      where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [tables],
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await fill();
  for (const { definition } of indexes) await client.query(definition);
}

function* makeRows(rows: CallRows, calls: Iterable<MadeCall>): Iterable<string> {
  for (const call of calls) yield* rows.make(call);
}

function* chain<T>(...parts: Iterable<T>[]): Iterable<T> {
  for (const part of parts) yield* part;
}

function* filter<T>(items: Iterable<T>, isWanted: (item: T) => boolean): Iterable<T> {
  for (const item of items) if (isWanted(item)) yield item;
}
