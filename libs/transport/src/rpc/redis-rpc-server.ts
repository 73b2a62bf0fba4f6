import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CustomTransportStrategy,
  type MessageHandler,
  RedisContext,
  Server,
} from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { MAX_AGE_MS, type RedisScope } from '../access/redis-scope.js';
import { isReady, RedisPair, settleSoon } from './redis-pair.js';
import { findReplyChannel, type ServingPlane } from './reply-channel.js';
import { readRequest, type RpcReply, type RpcRequest } from './rpc-packet.js';

/**
 * How long a claim lasts: longer than anybody waits for a reply, and than a message is good for on any two clocks, so that
 * one that is replayed by somebody else is not served again.
 */
const CLAIM_MS = 2 * MAX_AGE_MS;
/** For how long a server that closes lets requests come to their end. */
const DRAIN_MS = 10_000;

export interface RedisRpcServerOptions {
  readonly redis: RedisScope;
  /** The plane that serves; part of the names of claims and reply channels. */
  readonly plane: ServingPlane;
  /** Called once when Redis cannot be reached, until it can again, and of each request that could not be served. */
  readonly onError: (error: Error) => void;
}

/**
 * Requests and replies over Redis' PUBLISH, as a transport strategy of Nest
 * (https://docs.nestjs.com/microservices/custom-transport).
 *
 * A request reaches every replica of a plane; the one that first claims its id in Redis serves it and the others stay
 * silent. The claim saves work only: doing things once is the ledger's business, since a client that gets no reply asks
 * again under another id, which is how a request outlives a replica that froze with it.
 */
export class RedisRpcServer extends Server implements CustomTransportStrategy {
  readonly #options: RedisRpcServerOptions;
  readonly #redis: RedisPair;
  /** Requests that have arrived and are not replied to yet. */
  readonly #running = new Set<Promise<void>>();
  #closing = false;
  /** What comes now is left to other replicas. */
  #hasLeft = false;

  constructor(options: RedisRpcServerOptions) {
    super();
    this.#options = options;
    this.#redis = new RedisPair(
      options.redis.redisUrl,
      // ioredis subscribes again without looking at what comes of it: an error would end the process.
      { lazyConnect: true, maxRetriesPerRequest: null, autoResubscribe: false },
      options.onError,
    );
  }

  /** Whether requests arrive and replies leave. */
  get connected(): boolean {
    return this.#redis.ready;
  }

  /** Serves the patterns of the handlers. @param callback called with an error when Redis cannot be reached. */
  listen(callback: (error?: unknown) => void): void {
    void this.#notifyWhenListening(callback);
  }

  async #notifyWhenListening(callback: (error?: unknown) => void): Promise<void> {
    try {
      await this.#listen();
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  async #listen(): Promise<void> {
    const { subscriber } = this.#redis;
    subscriber.on('message', (channel: string, message: string) => this.#receive(channel, message));
    await this.#redis.connect();
    await this.#subscribe();
    subscriber.on('ready', () => void this.#subscribeAgain());
  }

  async #subscribe(): Promise<void> {
    const { redis } = this.#options;
    const channels = [...this.messageHandlers.keys()].map((pattern) => redis.name(pattern));
    await this.#redis.subscriber.subscribe(...channels);
  }

  /** After an outage. */
  async #subscribeAgain(): Promise<void> {
    if (this.#closing) return;
    try {
      await this.#subscribe();
    } catch (error) {
      if (this.#closing) return;
      this.#options.onError(toError(error));
      this.#redis.subscriber.disconnect(true);
    }
  }

  /** Takes no more requests, replies to those that run, and leaves; in time also when Redis is away. */
  async close(): Promise<void> {
    this.#closing = true;
    const { subscriber } = this.#redis;
    if (isReady(subscriber)) await settleSoon(subscriber.unsubscribe());
    // Without Redis no reply arrives, and whoever waits for one asks again.
    const timeIsOver = sleep(DRAIN_MS, undefined, { ref: false });
    await Promise.race([this.#finish(), this.#redis.whenLost(), timeIsOver]);
    this.#hasLeft = true;
    await this.#redis.close();
  }

  /** Where Redis was slow to say that nothing more will come, something may have come meanwhile: what was claimed is replied to. */
  async #finish(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Not offered: `onError` reports what there is to know. */
  on(): never {
    throw new Error('Events of the connection are reported by onError.');
  }

  unwrap<T = [RedisPair['subscriber'], RedisPair['publisher']]>(): T {
    return [this.#redis.subscriber, this.#redis.publisher] as T;
  }

  #receive(channel: string, message: string): void {
    if (this.#hasLeft) return;
    const { plane, redis } = this.#options;
    const text = redis.open(channel, message);
    const request = text === undefined ? undefined : readRequest(text);
    const replyChannel = request && findReplyChannel(plane, request.id);
    const handler = request && this.getHandlerByPattern(request.pattern);
    if (!request || replyChannel === undefined || !handler || redis.name(request.pattern) !== channel) return;
    const serving = this.#serve(request, handler, redis.name(replyChannel))
      .catch((error: unknown) => {
        // Replies that cannot leave any more are asked for again.
        if (!this.#closing) this.#options.onError(toError(error));
      })
      .finally(() => this.#running.delete(serving));
    this.#running.add(serving);
  }

  async #serve(request: RpcRequest, handler: MessageHandler, channel: string): Promise<void> {
    if (!(await this.#claim(request.id))) return;
    const reply = await this.#handle(request, handler);
    await this.#redis.publisher.publish(channel, this.#options.redis.sign(channel, JSON.stringify(reply)));
  }

  async #claim(id: string): Promise<boolean> {
    const { plane, redis } = this.#options;
    const key = redis.name(`claim:${plane}:${id}`);
    return (await this.#redis.publisher.set(key, '1', 'PX', CLAIM_MS, 'NX')) === 'OK';
  }

  async #handle({ id, pattern, data, metadata }: RpcRequest, handler: MessageHandler): Promise<RpcReply> {
    try {
      const result = await handler(data, new RedisContext(metadata ? [pattern, metadata] : [pattern]));
      const response = await lastValueFrom(this.transformToObservable(result), { defaultValue: undefined });
      return { id, response, isDisposed: true };
    } catch (error) {
      if (!(error instanceof Error)) return { id, err: error, isDisposed: true };
      this.#options.onError(error);
      return { id, err: { message: 'The request could not be served.' }, isDisposed: true };
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
