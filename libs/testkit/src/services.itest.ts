import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServices, type TestServices } from './services.js';

describe('startTestServices', () => {
  let suites: TestServices[];
  beforeAll(async () => {
    suites = await Promise.all([startTestServices(), startTestServices()]);
  });
  afterAll(() => Promise.all(suites.map((suite) => suite.stop())));

  it('gives each suite an empty database of its own', async () => {
    const counts = [];
    for (const suite of suites) {
      const client = new Client({ connectionString: suite.databaseUrl });
      await client.connect();
      await client.query('create table only_here (id bigint primary key)');
      const tables = await client.query(`select count(*) from pg_tables where schemaname = 'public'`);
      counts.push(tables.rows[0].count);
      await client.end();
    }
    expect(counts).toEqual(['1', '1']);
  });

  it('gives each suite an empty Redis of its own', async () => {
    const keys = [];
    for (const suite of suites) {
      const redis = new Redis(suite.redisUrl);
      keys.push(await redis.keys('*'));
      await redis.set('only-here', '1');
      redis.disconnect();
    }
    expect(keys).toEqual([[], []]);
  });
});
