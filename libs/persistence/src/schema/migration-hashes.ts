import { hashMigration } from './hash-migration.js';
import { MIGRATIONS } from './migrations.js';

/** What statements are sent by: a connection of the owner, or a plane's. */
interface Statements {
  query<Rows>(sql: string, values?: readonly unknown[]): Promise<Rows>;
}

/** Beside TypeORM's table of migrations: what the SQL of each was when it was applied. */
const TABLE = `create table if not exists migration_hash (
  name text primary key,
  hash text not null,
  recorded_at timestamptz not null default now()
)`;

/** Makes the table where it is missing, before any migration: an edited one is to be found also where others wait. */
export async function createHashTable(statements: Statements): Promise<void> {
  await statements.query(TABLE);
}

/**
 * Compares the migrations that were applied with those of this build.
 *
 * @throws Error naming those whose SQL was edited after it had been applied: nobody knows what such a schema is.
 */
export async function refuseEditedMigrations(statements: Statements): Promise<void> {
  const recorded = await statements.query<{ name: string; hash: string }[]>(
    'select name, hash from migration_hash',
  );
  const hashes = await hashAll();
  const edited = recorded
    .filter(({ name, hash }) => (hashes.get(name) ?? hash) !== hash)
    .map(({ name }) => name);
  if (edited.length === 0) return;
  throw new Error(
    `Migration ${edited.join(', ')} was edited after it had been applied to this database: run the build that applied it, and put the change into a new migration.`,
  );
}

/** Records the hash of every applied migration that has none yet: the new ones, and those of a version before hashes. */
export async function recordHashes(statements: Statements): Promise<void> {
  const hashes = [...(await hashAll())].map(([name, hash]) => ({ name, hash }));
  await statements.query(
    `insert into migration_hash (name, hash)
     select h.name, h.hash from jsonb_to_recordset($1::jsonb) as h (name text, hash text) join migrations m on m.name = h.name
     on conflict do nothing`,
    [JSON.stringify(hashes)],
  );
}

async function hashAll(): Promise<Map<string, string>> {
  const hashed = MIGRATIONS.map(async (Migration) => {
    const migration = new Migration();
    return [migration.name, await hashMigration(migration)] as const;
  });
  return new Map(await Promise.all(hashed));
}
