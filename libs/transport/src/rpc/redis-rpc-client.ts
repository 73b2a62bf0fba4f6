import { randomUUID } from 'node:crypto';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { firstValueFrom, throwError, timeout } from 'rxjs';
import type { RedisScope } from '../access/redis-scope.js';
import { isReady, RedisPair } from './redis-pair.js';
import { replyChannelOf, type ServingPlane } from './reply-channel.js';
import { readReply } from './rpc-packet.js';

/** Why a request has no reply: Redis cannot be reached, no server listens, or none replied in time. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';

  constructor(readonly reason: 'disconnected' | 'nobody_listens' | 'timeout') {
    super(`no reply: ${reason}`);
  }
}

export interface RedisRpcClientOptions {
  readonly redis: RedisScope;
  /** The plane that is asked. */
  readonly plane: ServingPlane;
  /** Called once when Redis cannot be reached, until it can again. */
  readonly onOutage?: (error: Error) => void;
}

/**
 * The client of `RedisRpcServer`, as a client of Nest's (https://docs.nestjs.com/microservices/custom-transport#client-proxy).
 * It connects by itself and again after each outage. Replies come on a channel of its own that stays subscribed, so that a
 * request costs one PUBLISH; none is kept for later: without Redis, or a server that listens, it fails at once.
 */
export class RedisRpcClient extends ClientProxy {
  readonly #id = randomUUID();
  readonly #scope: RedisScope;
  readonly #redis: RedisPair;
  readonly #waiting = new Map<string, (packet: WritePacket) => void>();
  #count = 0;
  #subscribed = false;

  constructor({ redis, plane, onOutage = () => undefined }: RedisRpcClientOptions) {
    super();
    this.#scope = redis;
    const options = { enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResubscribe: false };
    this.#redis = new RedisPair(redis.redisUrl, options, onOutage);
    const { subscriber } = this.#redis;
    subscriber.on('message', (channel: string, message: string) => this.#receive(channel, message));
    subscriber.on('close', () => (this.#subscribed = false));
    subscriber.on('ready', () => void this.#subscribe(redis.name(replyChannelOf(plane, this.#id))));
  }

  /**
   * Sends a request and waits for its reply.
   *
   * @throws NoReplyError when there is none within `timeoutMs`; otherwise whatever error the server replied with.
   */
  request(pattern: string, data: object, timeoutMs: number): Promise<unknown> {
    const late = () => throwError(() => new NoReplyError('timeout'));
    const reply = this.send<unknown>(pattern, data).pipe(timeout({ first: timeoutMs, with: late }));
    return firstValueFrom(reply, { defaultValue: undefined });
  }

  /** Whether requests can leave and replies arrive at this moment. @throws NoReplyError `disconnected` when not. */
  async connect(): Promise<void> {
    if (!this.#subscribed || !isReady(this.#redis.publisher)) throw new NoReplyError('disconnected');
  }

  async close(): Promise<void> {
    for (const reply of this.#waiting.values()) reply({ err: new NoReplyError('disconnected') });
    await this.#redis.close();
  }

  unwrap<T = [RedisPair['subscriber'], RedisPair['publisher']]>(): T {
    return [this.#redis.subscriber, this.#redis.publisher] as T;
  }

  protected publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    const id = `${this.#id}:${this.#count++}`;
    const fail = (reason: NoReplyError['reason']) => callback({ err: new NoReplyError(reason) });
    this.#waiting.set(id, callback);
    const channel = this.#scope.name(String(packet.pattern));
    const message = this.#scope.sign(channel, JSON.stringify({ ...packet, id }));
    this.#redis.publisher.publish(channel, message).then(
      (servers) => servers === 0 && fail('nobody_listens'),
      () => fail('disconnected'),
    );
    return () => this.#waiting.delete(id);
  }

  protected dispatchEvent(): Promise<never> {
    return Promise.reject(new Error('Planes send each other requests, no events.'));
  }

  #receive(channel: string, message: string): void {
    const text = this.#scope.open(channel, message);
    const reply = text === undefined ? undefined : readReply(text);
    if (reply) this.#waiting.get(reply.id)?.(reply);
  }

  async #subscribe(channel: string): Promise<void> {
    const { subscriber } = this.#redis;
    try {
      await subscriber.subscribe(channel);
      this.#subscribed = true;
    } catch {
      subscriber.disconnect(true);
    }
  }
}
