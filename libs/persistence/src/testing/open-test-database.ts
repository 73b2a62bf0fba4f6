import { createTestDatabase } from '@mg/testkit';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../open-database.js';

/** A database of the tests' own, with the current schema. */
export interface TestDatabase {
  /** Its address, for its owner. */
  readonly url: string;
  readonly database: DataSource;
  stop(): Promise<void>;
}

/** @param poolSize how many connections the tests have at most. */
export async function openTestDatabase(poolSize: number): Promise<TestDatabase> {
  const { databaseUrl: url, stop } = await createTestDatabase(makeSchema);
  const database = await openDatabase({ url, poolSize, applicationName: 'persistence-test' });
  return {
    url,
    database,
    async stop() {
      await database.destroy();
      await stop();
    },
  };
}

async function makeSchema(url: string): Promise<void> {
  const database = await openDatabase({ url, poolSize: 1, applicationName: 'persistence-test' });
  await database.destroy();
}
