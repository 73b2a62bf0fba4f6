import { omitUndefined } from '@mg/contract';

/** Where a Redis is and how to enter it, in the words that ioredis, BullMQ and Nest's Redis transport share. */
export interface RedisConnection {
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
  readonly db?: number;
  readonly tls?: Record<string, never>;
}

const DEFAULT_PORT = 6379;

/**
 * Reads a `redis://` or `rediss://` address: user, password, host, port and database number.
 *
 * @throws RangeError with a sentence that names REDIS_URL and never repeats its password.
 */
export function redisOptions(url: string): RedisConnection {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new RangeError(
      'REDIS_URL must be an address such as redis://host:6379 or rediss://user:password@host:6379/0.',
    );
  }
  const database = /^\/?(\d*)$/.exec(parsed.pathname)?.[1];
  if (database === undefined) {
    throw new RangeError('REDIS_URL may end in the number of a database, such as redis://host:6379/1.');
  }
  return omitUndefined({
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? DEFAULT_PORT : Number(parsed.port),
    username: parsed.username === '' ? undefined : decodeURIComponent(parsed.username),
    password: parsed.password === '' ? undefined : decodeURIComponent(parsed.password),
    db: database === '' ? undefined : Number(database),
    tls: parsed.protocol === 'rediss:' ? {} : undefined,
  });
}
