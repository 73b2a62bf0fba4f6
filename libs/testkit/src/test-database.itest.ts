import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from './test-database.js';

async function ask(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows.flatMap(Object.values);
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives each suite what was prepared once, and nothing of the others', async () => {
    let timesPrepared = 0;
    const prepare = async (databaseUrl: string) => {
      timesPrepared += 1;
      await ask(databaseUrl, 'create table prepared as select 1 as kept');
    };
    const suites = await Promise.all([createTestDatabase(prepare), createTestDatabase(prepare)]);
    for (const { databaseUrl } of suites) {
      await ask(databaseUrl, 'insert into prepared values (2)');
      expect(await ask(databaseUrl, 'select kept from prepared')).toEqual([1, 2]);
    }
    expect(timesPrepared).toBe(1);
    await Promise.all(suites.map((suite) => suite.stop()));
    for (const { databaseUrl } of suites) {
      await expect(ask(databaseUrl, 'select 1')).rejects.toThrow('does not exist');
    }
  });
});
