import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisContext, ServerRedis } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { redisOptions } from './redis-options.js';
import { type AnsweringPlane, findReplyChannel } from './reply-channel.js';

const CLAIM_MS = 60_000;
const DRAIN_MS = 10_000;
const DRAIN_STEP_MS = 10;
const ANSWERS_WITHIN_MS = 500;

interface Reply {
  readonly isDisposed?: boolean;
  readonly err?: unknown;
}

/**
 * Nest's Redis transport hands every message to every replica. Here the replica that first claims a message's id runs
 * it and the others stay silent. That saves work only: doing things once is the ledger's business, since a caller who
 * gets no answer asks again under another id.
 */
export class ClaimingServerRedis extends ServerRedis {
  /** Messages taken and not yet answered. */
  #running = 0;
  #inOutage = false;

  constructor(
    redisUrl: string,
    private readonly plane: AnsweringPlane,
  ) {
    super({
      ...redisOptions(redisUrl),
      retryAttempts: Number.MAX_SAFE_INTEGER,
      retryDelay: 250,
      maxRetriesPerRequest: null,
    });
  }

  /** Whether messages arrive and answers leave. */
  get connected(): boolean {
    return isReady(this.subClient) && isReady(this.pubClient);
  }

  override parseMessage(content: unknown): Record<string, unknown> {
    return typeof content === 'string' ? super.parseMessage(content) : (content as Record<string, unknown>);
  }

  override async handleMessage(
    channel: string,
    buffer: string,
    pub: Redis,
    pattern: string,
  ): Promise<unknown> {
    const packet = this.parseMessage(buffer);
    if (typeof packet !== 'object' || packet === null || typeof packet['id'] !== 'string') return undefined;
    this.#running++;
    try {
      if (await claim(pub, `${this.plane}:${packet['id']}`)) {
        return await super.handleMessage(channel, packet as unknown as string, pub, pattern);
      }
    } catch (error) {
      this.#running--;
      throw error;
    }
    this.#running--;
    return undefined;
  }

  override getPublisher(pub: Redis, pattern: string, id: string, context: RedisContext) {
    const channel = findReplyChannel(this.plane, id);
    const publish = super.getPublisher(pub, pattern, id, context) as (reply: Reply) => Promise<unknown>;
    return async (reply: Reply): Promise<unknown> => {
      try {
        if (channel === undefined) return await publish(reply);
        return await pub.publish(channel, JSON.stringify({ ...reply, id }));
      } finally {
        if (reply.isDisposed) this.#running--;
      }
    };
  }

  /** Takes no more messages, finishes those that run, and then leaves; in time also when Redis is away. */
  override async close(): Promise<void> {
    if (isReady(this.subClient)) await settleSoon((this.subClient as Redis).unsubscribe());
    const deadline = performance.now() + DRAIN_MS;
    // Without Redis no answer arrives any more, and whoever waits for one asks again.
    while (this.#running > 0 && this.connected && performance.now() < deadline) await sleep(DRAIN_STEP_MS);
    this.isManuallyClosed = true;
    for (const client of [this.pubClient, this.subClient] as (Redis | undefined)[]) {
      if (client && isReady(client)) await settleSoon(client.quit());
      client?.disconnect();
    }
  }

  override registerErrorListener(client: Redis): void {
    client.on('error', (error: Error) => {
      if (!this.#inOutage) this.logger.warn(`Redis is away: ${error.message}`);
      this.#inOutage = true;
    });
    client.on('ready', () => {
      this.#inOutage = false;
    });
  }
}

/** A Redis that goes away at this very moment never answers. */
async function settleSoon(question: Promise<unknown>): Promise<void> {
  const answer = question.catch(() => undefined);
  await Promise.race([answer, sleep(ANSWERS_WITHIN_MS, undefined, { ref: false })]);
}

async function claim(pub: Redis, id: string): Promise<boolean> {
  return (await pub.set(`claim:${id}`, '1', 'PX', CLAIM_MS, 'NX')) === 'OK';
}

function isReady(client: Redis | undefined): boolean {
  return client?.status === 'ready';
}
