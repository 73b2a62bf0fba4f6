import type { DataSource } from 'typeorm';
import { retryConnect } from '../retry-connect.js';

/** The installation's secret for names and messages in Redis; every plane may read it, and nobody else. */
export async function readRedisSecret(database: DataSource): Promise<string> {
  const [row] = await retryConnect(() =>
    database.query<{ redis_secret: string }[]>('select redis_secret from installation'),
  );
  if (row === undefined) {
    throw new Error('The table installation is empty: run "select renew_installation()" as its owner.');
  }
  return row.redis_secret;
}
