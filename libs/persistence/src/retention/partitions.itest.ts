import { newId, NO_USAGE } from '@mg/contract';
import { startTestServices, type TestServices } from '@mg/testkit';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeJournal } from '../journal/write-journal.js';
import { MIGRATIONS } from '../schema/migrations.js';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { Retention } from './retention.js';

const DAY_MS = 86_400_000;

/** An id as it was given so many days ago, or is given so many days ahead. */
function idOf(daysAgo: number): string {
  const at = Math.round(Date.now() - daysAgo * DAY_MS)
    .toString(16)
    .padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}${newId().slice(13)}`;
}

describe('F8: a table that is cut into partitions', () => {
  let test: TestDatabase;
  let database: DataSource;
  let retention: Retention;
  beforeAll(async () => {
    test = await openTestDatabase(4);
    ({ database } = test);
    retention = new Retention(database);
  });
  afterAll(() => test.stop());

  const write = (requestId: string) =>
    writeJournal(database, [{ requestId, seq: 0, phase: 'usage', usage: NO_USAGE, estimated: false }]);
  const post = (requestId: string) =>
    database.query('update usage_journal set posted_at = now() where request_id = $1', [requestId]);
  const placeOf = async (requestId: string) => {
    const [row] = await database.query<{ place: string }[]>(
      'select tableoid::regclass::text as place from usage_journal where request_id = $1',
      [requestId],
    );
    return row?.place;
  };
  const nameOf = (daysAgo: number) =>
    `usage_journal_p${new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
  /** Lets the table look as if it had been cut so many days ago. */
  const cutEarlier = async (days: number) => {
    await database.query('alter table usage_journal detach partition usage_journal_before');
    for (let daysAgo = days; daysAgo > 0; daysAgo -= 1) {
      await database.query(
        `do $$ begin
           execute format('create table ${nameOf(daysAgo)} partition of usage_journal for values from (%L) to (%L)',
             first_id_at(date_trunc('day', now(), 'UTC') - interval '${daysAgo} days'),
             first_id_at(date_trunc('day', now(), 'UTC') - interval '${daysAgo - 1} days'));
         end $$`,
      );
    }
    await database.query(
      `update partitioned_table set begins_at = begins_at - $1::interval where name = 'usage_journal'`,
      [`${days} days`],
    );
    await database.query(
      `do $$ begin
         execute format('alter table usage_journal attach partition usage_journal_before for values from (minvalue) to (%L)',
           first_id_at((select begins_at from partitioned_table where name = 'usage_journal')));
       end $$`,
    );
  };

  /** Work beside a transaction that has read the table and goes on. */
  const duringRead = async (work: () => Promise<void>) => {
    const other = new Client({ connectionString: test.url });
    await other.connect();
    await other.query('begin');
    await other.query('select count(*) from usage_journal');
    try {
      await work();
    } finally {
      await other.query('rollback');
      await other.end();
    }
  };

  it('F8: takes rows of any id: of today, long ago, from a clock that is ahead, and without a time', async () => {
    const [today, long, ahead, none] = [
      newId(),
      idOf(400),
      idOf(-30),
      'ffffffff-ffff-4fff-8fff-ffffffffffff',
    ];
    for (const id of [today, long, ahead, none]) await write(id);
    expect(await Promise.all([today, long, ahead, none].map(placeOf))).toEqual([
      nameOf(0),
      'usage_journal_before',
      'usage_journal_after',
      'usage_journal_after',
    ]);
    for (const id of [today, long, ahead, none]) await post(id);
  });

  it('F8: has partitions for the days to come, into which rows move that came too early', async () => {
    expect(await retention.addPartitions('journal')).toBe(0);
    const early = idOf(-3);
    await database.query(`drop table ${nameOf(-3)}`);
    await database.query(
      `do $$ begin
         alter table usage_journal detach partition usage_journal_after;
         execute format('alter table usage_journal attach partition usage_journal_after for values from (%L) to (maxvalue)',
           first_id_at(date_trunc('day', now() + interval '3 days', 'UTC')));
       end $$`,
    );
    await write(early);
    expect(await placeOf(early)).toBe('usage_journal_after');
    expect(await retention.addPartitions('journal')).toBe(1);
    expect(await placeOf(early)).toBe(nameOf(-3));
    await post(early);
  });

  it('F8: loses whole partitions that are too old, and of them no usage that is not charged', async () => {
    await cutEarlier(10);
    const [charged, waiting, refused, young] = [idOf(9), idOf(9), idOf(9), idOf(5)];
    for (const id of [charged, waiting, refused, young]) await write(id);
    for (const id of [charged, refused]) await post(id);
    await database.query(`insert into refused_usage (request_id, failure) values ($1, 'a price')`, [refused]);
    const detached: (string | undefined)[] = [];
    do detached.push(await retention.detachPartition('journal', 7));
    while (detached.at(-1) !== undefined);
    expect(detached).toEqual([nameOf(10), nameOf(9), nameOf(8), undefined]);
    expect(await Promise.all([charged, waiting, refused, young].map(placeOf))).toEqual([
      undefined,
      'usage_journal_late',
      'usage_journal_late',
      nameOf(5),
    ]);
    const late = idOf(9);
    await write(late);
    expect(await placeOf(late)).toBe('usage_journal_late');
  });

  it('F8: is not waited for: a partition that cannot be had at once stays for now', async () => {
    await duringRead(async () => {
      await expect(retention.detachPartition('journal', 5)).rejects.toThrow(/lock timeout/);
      await write(newId());
    });
    expect(await retention.detachPartition('journal', 5)).toBe(nameOf(7));
  });

  it('F8: is not kept waiting by who works on an old partition alone, such as autovacuum', async () => {
    const other = new Client({ connectionString: test.url });
    await other.connect();
    await other.query('begin');
    await other.query(`lock table ${nameOf(6)} in share update exclusive mode`);
    await expect(retention.detachPartition('journal', 4)).rejects.toThrow(/could not obtain lock/);
    await other.query('rollback');
    await other.end();
  });

  it('F8: is not locked while what was taken out of it is dropped, indexes first', async () => {
    const tables = () =>
      database.query<{ name: string }[]>(
        `select relname as name from pg_class
          where relkind = 'r' and not relispartition and relname ~ 'usage_journal_p\\d+$' order by 1`,
      );
    expect(await tables()).toEqual([10, 9, 8, 7].map((daysAgo) => ({ name: nameOf(daysAgo) })));
    const dropped: string[] = [];
    await duringRead(async () => {
      for (let name = await retention.dropDetached('journal'); name !== undefined;) {
        dropped.push(name);
        name = await retention.dropDetached('journal');
      }
    });
    expect(await tables()).toEqual([]);
    expect(dropped.slice(0, 2)).toEqual([expect.stringMatching(/_idx$/), nameOf(10)]);
    expect(dropped).toHaveLength(8);
  });

  it('F8: leaves a partition alone that an operator has taken out, to keep it elsewhere', async () => {
    await database.query(`alter table usage_journal detach partition ${nameOf(6)}`);
    const dropped: string[] = [];
    for (let name = await retention.dropDetached('journal'); name !== undefined;) {
      dropped.push(name);
      name = await retention.dropDetached('journal');
    }
    expect(dropped).not.toContain(nameOf(6));
    await database.query(`drop table ${nameOf(6)}`);
  });

  it('F8: keeps the last day whatever is set', async () => {
    while ((await retention.detachPartition('journal', 0)) !== undefined);
    const rows = await database.query('select partition from list_partitions($1) order by 1 limit 1', [
      'usage_journal',
    ]);
    expect(rows).toEqual([{ partition: nameOf(1) }]);
  });

  it('F8: has partitions that are alike, whichever way they were made', async () => {
    const shapes = await database.query<{ shape: string; count: number }[]>(
      `select shape, count(*)::int as count from (
         select (select string_agg(format('%s %s %s', a.attname, a.atttypid::regtype, a.attnotnull), ', ' order by a.attnum)
                   from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)
                || count(distinct i.indexrelid) as shape
           from pg_inherits h join pg_class c on c.oid = h.inhrelid join pg_index i on i.indrelid = c.oid
          where h.inhparent = 'usage_journal'::regclass group by c.oid) as parts
        group by shape`,
    );
    expect(shapes).toHaveLength(1);
  });

  it('F8: counts and announces what is written as before', async () => {
    const triggers = await database.query<{ name: string }[]>(
      `select tgname as name from pg_trigger
        where tgrelid in ('usage_journal'::regclass, 'request_log'::regclass) and not tgisinternal`,
    );
    const names = triggers.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['request_log_counted', 'request_log_recounted']));
  });
});

describe('F8: a table that is cut while planes use it', () => {
  let services: TestServices;
  let owner: DataSource;
  beforeAll(async () => {
    services = await startTestServices();
    const open = async (migrations: typeof MIGRATIONS) => {
      const source = new DataSource({
        type: 'postgres',
        url: services.databaseUrl,
        migrations,
        migrationsTransactionMode: 'each',
      });
      await source.initialize();
      await source.runMigrations();
      return source;
    };
    const cut = MIGRATIONS.findIndex((Made) => new Made().name.startsWith('PreparePartitions'));
    const before = await open(MIGRATIONS.slice(0, cut));
    await before.query(
      'grant insert (request_id, seq, phase, usage, estimated) on usage_journal to mg_gateway',
    );
    await before.query('grant select, insert on request_log to mg_gateway');
    for (const id of [idOf(60), idOf(1), newId(), idOf(-30)]) {
      await before.query(
        `insert into usage_journal (request_id, seq, phase, usage) values ($1, 0, 'usage', '{}')`,
        [id],
      );
    }
    await before.destroy();
    owner = await open(MIGRATIONS);
  });
  afterAll(async () => {
    await owner.destroy();
    await services.stop();
  });

  it('F8: keeps its rows', async () => {
    const rows = await owner.query(
      'select tableoid::regclass::text as place, count(*)::int as count from usage_journal group by 1 order by 1',
    );
    expect(rows).toEqual([
      { place: 'usage_journal_after', count: 1 },
      { place: 'usage_journal_before', count: 3 },
    ]);
  });

  it('F8: keeps its grants, before anybody grants again, and leaves none on its parts', async () => {
    const may = (table: string, right: string) =>
      owner.query(`select has_any_column_privilege('mg_gateway', $1, $2) as may`, [table, right]);
    expect(await may('usage_journal', 'insert')).toEqual([{ may: true }]);
    expect(await may('usage_journal', 'select')).toEqual([{ may: false }]);
    expect(await may('request_log', 'select')).toEqual([{ may: true }]);
    expect(await may('usage_journal_before', 'insert')).toEqual([{ may: false }]);
    expect(await may('request_log_before', 'select')).toEqual([{ may: false }]);
  });
});
