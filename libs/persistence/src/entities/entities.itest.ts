import type { ColumnType, DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/open-test-database.js';
import { ENTITIES } from './entities.js';

/** Money, tasks, the journal and what processes and sign-ins leave behind: written and read by SQL. */
const WITHOUT_ENTITY = [
  'hold',
  'waste',
  'lease',
  'budget',
  'ledger_sum',
  'ledger_check',
  'suspect_task',
  'refused_usage',
  'partitioned_table',
  'usage_journal',
  'usage_cell',
  'usage_change',
  'idempotent_reply',
  'idempotent_reply_part',
  'stored_response',
  'conversation',
  'conversation_item',
  'stored_file',
  'stored_file_part',
  'discarded_object',
  'stored_upload',
  'cached_content',
  'batch',
  'batch_line',
  'upstream_batch',
  'task',
  'task_order',
  'task_event',
  'webhook_delivery',
  'alert_delivery',
  'captured_body',
  'console_session',
  'console_attempt',
  'user_totp',
  'user_recovery_code',
  'sso_identity',
  'sso_login',
  'sso_handover',
  'project',
  'project_member',
  'project_group',
  'project_invitation',
  'plane_instance',
  'ended_life',
  'plane_report',
  'attempt_figures',
  'channel_probe',
  'installation',
  'migrations',
  'migration_hash',
];

let test: TestDatabase;
let database: DataSource;

beforeAll(async () => {
  test = await openTestDatabase(2);
  ({ database } = test);
});

afterAll(() => test.stop());

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  readonly isPrimary: boolean;
}

function byName(a: Column, b: Column): number {
  return a.name < b.name ? -1 : 1;
}

function describeEntity(table: string): Column[] {
  const columns = database.getMetadata(table).columns.map((column) => ({
    name: column.databaseName,
    type: database.driver.normalizeType(column),
    isArray: column.isArray,
    isNullable: column.isNullable,
    isPrimary: column.isPrimary,
  }));
  return columns.toSorted(byName);
}

async function describeTable(table: string): Promise<Column[]> {
  const runner = database.createQueryRunner();
  try {
    const columns = (await runner.getTable(table))?.columns ?? [];
    return columns
      .map(({ name, type, isArray, isNullable, isPrimary }) => ({
        name,
        type: database.driver.normalizeType({ type: type as ColumnType }),
        isArray,
        isNullable,
        isPrimary,
      }))
      .toSorted(byName);
  } finally {
    await runner.release();
  }
}

describe('the entities', () => {
  it.each(ENTITIES.map((entity) => entity.options.name))(
    'declare the columns of %s as the migrations make them',
    async (table) => {
      expect(describeEntity(table)).toEqual(await describeTable(table));
    },
  );

  it('declare every table of the configuration', async () => {
    const rows = await database.query<{ name: string }[]>(
      `select table_name as name from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE'
          and not (select c.relispartition from pg_class c where c.oid = to_regclass(quote_ident(table_name)))`,
    );
    const declared = ENTITIES.map((entity) => entity.options.name);
    expect(rows.map((row) => row.name).toSorted()).toEqual([...declared, ...WITHOUT_ENTITY].toSorted());
  });

  it('join what their foreign keys point at', async () => {
    const rows = await database.query<{ name: string }[]>(
      `select c.conrelid::regclass || '.' || a.attname || ' -> ' || c.confrelid::regclass as name
         from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
        where c.contype = 'f'`,
    );
    const joins = database.entityMetadatas.flatMap((metadata) =>
      metadata.foreignKeys.flatMap((key) =>
        key.columnNames.map((column) => `${metadata.tableName}.${column} -> ${key.referencedTablePath}`),
      ),
    );
    expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(joins));
  });
});
