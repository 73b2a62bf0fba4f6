/** Persistence of `migrate`, and of tests that prepare a database as it does. */
export { migrateDatabase } from './migrate-database.js';
export { PLANE_ROLES, type PlaneName } from './roles/plane-roles.js';
export { MIGRATIONS } from './schema/migrations.js';
export { openCredentials, sealAllCredentials } from './secrets/channel-credentials.js';
export { reencryptSecrets } from './secrets/reencrypt-secrets.js';
export { deriveSecretKey, sealSecret } from './secrets/seal-secret.js';
