import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ClientRedis } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { redisOptions } from './redis-options.js';
import { type AnsweringPlane, replyChannelOf } from './reply-channel.js';

const RETRY_MS = 250;

/** Why a question had no answer: the line is down, nobody listens, or nobody answered in time. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';

  constructor(readonly reason: 'disconnected' | 'nobody_listens' | 'timeout') {
    super(`no answer: ${reason}`);
  }
}

/** Nest's remarks about connections go nowhere: they would come before the plane has given Nest its own logger. */
class SilentLogger extends Logger {
  override log(): void {}
  override error(): void {}
  override warn(): void {}
  override debug(): void {}
}

/**
 * Nest's Redis client for questions on a hot path: answers come on a channel of its own that stays subscribed, a question
 * costs one PUBLISH and one timer, and none is kept for later when the line is down or nobody listens.
 */
export class AskingClientRedis extends ClientRedis {
  protected override readonly logger = new SilentLogger();
  readonly #address = randomUUID();
  #asked = 0;
  #subscribed = false;
  #closing = false;
  #inOutage = false;

  /**
   * @param onOutage - told once when the line to Redis breaks, or cannot be made.
   * @param plane - whom it asks.
   */
  constructor(
    redisUrl: string,
    private readonly onOutage: (error: Error) => void,
    private readonly plane: AnsweringPlane = 'billing',
  ) {
    super({
      ...redisOptions(redisUrl),
      retryAttempts: Number.MAX_SAFE_INTEGER,
      retryDelay: RETRY_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
    });
  }

  /** Connects, and keeps trying until it is closed. */
  async start(): Promise<void> {
    while (!this.#closing) {
      try {
        await this.connect();
        return;
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /**
   * Asks a question and waits for its answer.
   *
   * @throws NoAnswerError when there is none; otherwise whatever error the other side answered with.
   */
  ask(pattern: string, data: unknown, timeoutMs: number): Promise<unknown> {
    const line = this.pubClient as Redis | null;
    if (line?.status !== 'ready' || !this.#subscribed) {
      return Promise.reject(new NoAnswerError('disconnected'));
    }
    const id = `${this.#address}:${this.#asked++}`;
    return new Promise((resolve, reject) => {
      const giveUp = (reason: NoAnswerError['reason']) => {
        clearTimeout(timer);
        if (this.routingMap.delete(id)) reject(new NoAnswerError(reason));
      };
      const timer = setTimeout(giveUp, timeoutMs, 'timeout');
      this.routingMap.set(id, ({ err, response }: { err?: unknown; response?: unknown }) => {
        clearTimeout(timer);
        this.routingMap.delete(id);
        if (err === undefined || err === null) resolve(response);
        else reject(err);
      });
      line.publish(pattern, JSON.stringify({ pattern, data, id }), (error, receivers) => {
        if (error) giveUp('disconnected');
        else if (receivers === 0) giveUp('nobody_listens');
      });
    });
  }

  override async close(): Promise<void> {
    this.#closing = true;
    const clients = [this.pubClient, this.subClient] as (Redis | null)[];
    this.isManuallyClosed = true;
    this.handleClose();
    for (const client of clients) client?.disconnect();
  }

  override registerReadyListener(client: Redis): void {
    super.registerReadyListener(client);
    client.on('ready', () => {
      this.#inOutage = false;
      if (client === this.subClient) void this.#subscribe(client);
    });
    client.on('close', () => {
      if (client === this.subClient) this.#subscribed = false;
    });
  }

  override registerErrorListener(client: Redis): void {
    client.on('error', (error: Error) => {
      if (!this.#inOutage) this.onOutage(error);
      this.#inOutage = true;
    });
  }

  async #subscribe(client: Redis): Promise<void> {
    try {
      await client.subscribe(replyChannelOf(this.plane, this.#address));
      this.#subscribed = true;
    } catch {
      client.disconnect(true);
    }
  }
}
