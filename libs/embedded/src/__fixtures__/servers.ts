import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from 'pg';

export async function queryPostgres(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

export async function askRedis<T>(url: string, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { retryStrategy: () => null, lazyConnect: true });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

/** Pids in the first lines of pid files; a missing file has none. */
export function readPids(...files: string[]): number[] {
  return files.map((file) => Number.parseInt(readFileSync(file, 'utf8'), 10));
}
