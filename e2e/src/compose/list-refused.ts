import { readFile } from 'node:fs/promises';
import { Redis } from 'ioredis';

/** Addresses of the servers, each for its administrator. */
export interface Servers {
  /** The file that Postgres logs to. */
  readonly postgresLog: string;
  readonly redisUrl: string;
}

/** What planes asked Postgres and Redis for and had no right to, also where they went on without it. */
export async function listRefused({ postgresLog, redisUrl }: Servers): Promise<string[]> {
  return [...(await listRefusedByPostgres(postgresLog)), ...(await listRefusedByRedis(redisUrl))];
}

async function listRefusedByPostgres(logFile: string): Promise<string[]> {
  const lines = (await readFile(logFile, 'utf8')).split('\n');
  return lines.flatMap((line, index) =>
    line.includes('permission denied') ? [`${line} ${lines[index + 1] ?? ''}`] : [],
  );
}

async function listRefusedByRedis(administratorUrl: string): Promise<string[]> {
  const redis = new Redis(administratorUrl);
  try {
    const entries = (await redis.acl('LOG')) as unknown[];
    // Clients report their name and version where they may, and go on where they may not.
    return entries.map((entry) => JSON.stringify(entry)).filter((text) => !text.includes('client|setinfo'));
  } finally {
    redis.disconnect();
  }
}
