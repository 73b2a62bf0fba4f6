import { setTimeout as sleep } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import { redisOptions } from '../access/redis-options.js';

const RETRY_MS = 250;
const ANSWERS_WITHIN_MS = 500;

/**
 * Two connections to one Redis: a connection that subscribes can publish nothing. Both are made by `connect`, or by
 * themselves where `lazyConnect` is off, and made again whenever they break, until they are closed.
 */
export class RedisPair {
  readonly subscriber: Redis;
  readonly publisher: Redis;
  #inOutage = false;
  #closed = false;

  /** @param onOutage called once when Redis cannot be reached; again only after it could. */
  constructor(
    redisUrl: string,
    options: Pick<
      RedisOptions,
      'autoResubscribe' | 'enableOfflineQueue' | 'lazyConnect' | 'maxRetriesPerRequest'
    >,
    private readonly onOutage: (error: Error) => void,
  ) {
    const open = () => new Redis({ ...redisOptions(redisUrl), ...options, retryStrategy: () => RETRY_MS });
    this.subscriber = this.#watch(open());
    this.publisher = this.#watch(open());
  }

  get ready(): boolean {
    return !this.#closed && isReady(this.subscriber) && isReady(this.publisher);
  }

  /** @throws Error when Redis cannot be reached now. */
  async connect(): Promise<void> {
    await Promise.all([this.subscriber.connect(), this.publisher.connect()]);
  }

  /** Resolves when one of the two connections is not there, now or later. */
  async whenLost(): Promise<void> {
    if (!this.ready) return;
    await new Promise<void>((resolve) => {
      for (const client of [this.subscriber, this.publisher]) client.once('close', () => resolve());
    });
  }

  /** Sends what is on its way, and leaves; in time also when Redis is away. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(
      [this.publisher, this.subscriber].map(async (client) => {
        if (isReady(client)) await settleSoon(client.quit());
        client.disconnect();
      }),
    );
  }

  #watch(client: Redis): Redis {
    client.on('error', (error: Error) => {
      if (!this.#inOutage) this.onOutage(error);
      this.#inOutage = true;
    });
    client.on('ready', () => (this.#inOutage = false));
    return client;
  }
}

/** A Redis that goes away at this very moment never answers. */
export async function settleSoon(command: Promise<unknown>): Promise<void> {
  const answer = command.catch(() => undefined);
  await Promise.race([answer, sleep(ANSWERS_WITHIN_MS, undefined, { ref: false })]);
}

export function isReady(client: Redis): boolean {
  return client.status === 'ready';
}
