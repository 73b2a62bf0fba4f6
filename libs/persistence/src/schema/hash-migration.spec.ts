import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashMigration } from './hash-migration.js';
import { MIGRATIONS } from './migrations.js';

const FILE = new URL('./migration-hashes.json', import.meta.url);

describe('Migrations: the text of one that exists', () => {
  it('stays as it is (UPDATE_GOLDENS=1 adds the new ones)', async () => {
    const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
    const hashes = await Promise.all(
      MIGRATIONS.map(async (Migration) => {
        const migration = new Migration();
        return [migration.name, await hashMigration(migration)] as const;
      }),
    );
    if (process.env['UPDATE_GOLDENS'] === '1') {
      for (const [name, hash] of hashes) known[name] ??= hash;
      writeFileSync(FILE, `${JSON.stringify(known, null, 2)}\n`);
    }
    expect(Object.fromEntries(hashes)).toEqual(known);
  });

  it('depends on its statements and their values, not on the code around them', async () => {
    const hash = (...statements: [string, unknown[]?][]) =>
      hashMigration({
        up: async (runner) => {
          for (const [sql, values] of statements) await runner.query(sql, values);
          await runner.manager.query('of today');
        },
        down: async () => undefined,
      });
    expect(await hash(['select 1'])).toBe(await hash(['select 1']));
    expect(await hash(['select 1'])).not.toBe(await hash(['select 2']));
    expect(await hash(['select $1', [1]])).not.toBe(await hash(['select $1', [2]]));
    expect(await hash(['select 1'], ['select 2'])).not.toBe(await hash(['select 2'], ['select 1']));
  });
});
