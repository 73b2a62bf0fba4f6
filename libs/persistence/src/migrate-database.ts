import { prepareRoles } from './roles/prepare-roles.js';
import { type PlanePasswords, setPasswords } from './roles/set-passwords.js';
import { createDataSource } from './schema/create-data-source.js';
import { migrateSchema } from './schema/migrate-schema.js';
import { reencryptSecrets } from './secrets/reencrypt-secrets.js';
import type { SecretKey } from './secrets/seal-secret.js';

export interface MigrateOptions {
  /** Address of the database, for its owner. */
  readonly url: string;
  readonly passwords: PlanePasswords;
  /** Of ENCRYPTION_KEY: with it, secrets that an earlier version or the previous key encrypted are re-encrypted. */
  readonly secretKey?: SecretKey | undefined;
}

export interface MigratedDatabase {
  /** How many migrations there were to apply. */
  readonly migrations: number;
  /** Planes whose roles were given a password. */
  readonly planes: readonly string[];
  /** Roles that are missing, since this user may not create roles: their planes have to use the owner's address. */
  readonly missingRoles: readonly string[];
  /** How many secrets were re-encrypted. */
  readonly reencryptedSecrets: number;
}

/**
 * Brings a database up to date as its owner: its schema, the planes' roles and their passwords. It may run at any time,
 * any number of times, beside planes that serve.
 *
 * @throws Error when the database cannot be reached or a migration fails.
 */
export async function migrateDatabase({
  url,
  passwords,
  secretKey,
}: MigrateOptions): Promise<MigratedDatabase> {
  const database = createDataSource({ url, poolSize: 2, applicationName: 'migrate' });
  await database.initialize();
  try {
    let missingRoles: string[] = [];
    let planes: string[] = [];
    let migrations = 0;
    await migrateSchema(database, async (manager, applied) => {
      migrations = applied;
      missingRoles = await prepareRoles(manager);
      if (missingRoles.length === 0) planes = await setPasswords(manager, passwords);
    });
    const reencryptedSecrets = secretKey === undefined ? 0 : await reencryptSecrets(database, secretKey);
    return { migrations, planes, missingRoles, reencryptedSecrets };
  } finally {
    await database.destroy();
  }
}
