import type { DataSource } from 'typeorm';
import { isPlaneRole } from './roles/plane-roles.js';
import { prepareRoles } from './roles/prepare-roles.js';
import { awaitSchema, connect, type StandBy } from './schema/await-schema.js';
import { type ConnectionOptions, createDataSource } from './schema/create-data-source.js';
import { migrateSchema } from './schema/migrate-schema.js';
import { reencryptSecrets } from './secrets/reencrypt-secrets.js';
import type { SecretKey } from './secrets/seal-secret.js';

export interface DatabaseOptions extends ConnectionOptions {
  /** Called while the schema is not there yet. */
  readonly standBy?: StandBy;
  /** Of ENCRYPTION_KEY: with it an owner re-encrypts what an earlier version or the previous key encrypted. */
  readonly secretKey?: SecretKey;
}

const NO_STAND_BY: StandBy = { report: async () => undefined, end: async () => undefined };

/**
 * Connects to Postgres with a schema that is up to date: an owner migrates it, a plane's role waits until somebody has.
 *
 * @throws Error when the database cannot be reached or a migration fails.
 */
export async function openDatabase(options: DatabaseOptions): Promise<DataSource> {
  const { url, standBy = NO_STAND_BY } = options;
  const database = createDataSource(options);
  try {
    await connect(database, url, standBy);
    if (await mayMigrate(database)) await migrateAsOwner(database, options);
    else await awaitSchema(database, standBy);
    return database;
  } catch (error) {
    if (database.isInitialized) await database.destroy();
    throw error;
  } finally {
    await standBy.end();
  }
}

/** Roles that this owner may not create are no reason not to serve: `migrate` says so in its log. */
async function migrateAsOwner(database: DataSource, { secretKey }: DatabaseOptions): Promise<void> {
  await migrateSchema(database, async (manager, applied) => {
    if (applied > 0) await prepareRoles(manager);
  });
  if (secretKey !== undefined) await reencryptSecrets(database, secretKey);
}

/** Some servers let everybody create tables; a plane's role never does. */
async function mayMigrate(database: DataSource): Promise<boolean> {
  const [row] = await database.query<{ role: string; may_create: boolean }[]>(
    `select current_user as role, has_schema_privilege(current_schema(), 'create') as may_create`,
  );
  return row !== undefined && row.may_create && !isPlaneRole(row.role);
}
