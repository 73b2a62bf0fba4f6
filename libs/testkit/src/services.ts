import { join } from 'node:path';
import {
  copyEmptyPostgres,
  type EmbeddedService,
  startTemporaryPostgres,
  startTemporaryRedis,
} from '@mg/embedded';

/** A Postgres and a Redis that a suite of tests has for itself. */
export interface TestServices {
  /** An empty database. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  stop(): Promise<void>;
}

const CACHE = join(import.meta.dirname, '../../../.cache/postgres');

/** Starts an empty Postgres, real but for its haste: what it answers is not on the disk yet. */
export function startTestPostgres(): Promise<EmbeddedService> {
  return startTemporaryPostgres({ cacheDirectory: CACHE });
}

/** Makes the directory of an embedded Postgres as its first start would, without the second of work that this takes. */
export function copyTestPostgres(directory: string): Promise<void> {
  return copyEmptyPostgres(directory, { cacheDirectory: CACHE });
}

/**
 * Starts an empty Postgres and an empty Redis, both real, in about a tenth of a second. Suites never share them, also
 * when several runs go on at once, and they end with the process that started them, even by kill -9.
 */
export async function startTestServices(): Promise<TestServices> {
  const postgres = await startTestPostgres();
  try {
    const redis = await startTemporaryRedis();
    return {
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      stop: async () => {
        await Promise.all([postgres.stop(), redis.stop()]);
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
