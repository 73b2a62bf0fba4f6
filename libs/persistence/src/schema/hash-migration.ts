import { createHash } from 'node:crypto';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * SHA-256, in hex, of the statements that a migration sends to an empty database. It depends on the text of its SQL alone,
 * so it is the same whatever the compiler or Node's version makes of the code around it.
 *
 * What goes through the runner's manager is left out: that is code of today's version which every start runs again, such
 * as the planes' roles, and it may change.
 */
export async function hashMigration(migration: MigrationInterface): Promise<string> {
  const statements: string[] = [];
  const runner = {
    query: async (sql: string, values: readonly unknown[] = []) => {
      statements.push(JSON.stringify([sql, values]));
      return [];
    },
    manager: { query: async () => [] },
  };
  await migration.up(runner as unknown as QueryRunner);
  return createHash('sha256').update(statements.join('\n')).digest('hex');
}
