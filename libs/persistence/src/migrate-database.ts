import { applyGrants } from './roles/apply-grants.js';
import { createRoles } from './roles/create-roles.js';
import { type PlanePasswords, setPasswords } from './roles/set-passwords.js';
import { createDataSource } from './schema/create-data-source.js';
import { migrateSchema } from './schema/migrate-schema.js';

export interface MigratedDatabase {
  /** Planes whose roles were given a password. */
  readonly planes: readonly string[];
  /** Roles that are missing, since this user may not create roles: their planes have to use the owner's address. */
  readonly missingRoles: readonly string[];
}

/**
 * Brings a database up to date as its owner: its schema, the planes' roles and their passwords. It may run at any time,
 * any number of times, beside planes that serve.
 *
 * @throws Error when the database cannot be reached or a migration fails.
 */
export async function migrateDatabase(url: string, passwords: PlanePasswords): Promise<MigratedDatabase> {
  const database = createDataSource({ url, poolSize: 2, applicationName: 'migrate' });
  await database.initialize();
  try {
    let missingRoles: string[] = [];
    let planes: string[] = [];
    await migrateSchema(database, async (manager) => {
      missingRoles = await createRoles(manager);
      if (missingRoles.length > 0) return;
      await applyGrants(manager);
      planes = await setPasswords(manager, passwords);
    });
    return { planes, missingRoles };
  } finally {
    await database.destroy();
  }
}
