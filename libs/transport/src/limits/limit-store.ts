import { createHash } from 'node:crypto';
import type { HoldOwner } from '@mg/contract';
import { Redis } from 'ioredis';
import { redisOptions } from '../access/redis-options.js';
import type { RedisScope } from '../access/redis-scope.js';
import { isReady, settleSoon } from '../rpc/redis-pair.js';
import { LEAVE_SCRIPT, LISTEN_SCRIPT, REPORT_SCRIPT, TAKE_SCRIPT } from './limit-scripts.js';

export type MeterKind = 'window' | 'calls';

/** What is counted under one limit. */
export interface MeterShape {
  /** Whose it is and what it counts, as in `token:<id>:rpm`. */
  readonly name: string;
  readonly kind: MeterKind;
  readonly limit: number;
  /** Of a window: the length of its buckets in milliseconds, and their number. */
  readonly bucketMs: number;
  readonly buckets: number;
}

export interface TakeItem {
  readonly meter: MeterShape;
  readonly need: number;
  readonly want: number;
}

export interface MeterAnswer {
  readonly used: number;
  /** What was given ahead of calls, or the slice of calls at the same time. */
  readonly given: number;
  readonly resetMs: number;
  /** Above 0 where it refuses. */
  readonly waitMs: number;
}

export interface TakeAnswer {
  readonly state: 'granted' | 'refused' | 'later';
  /** Redis' own time, in milliseconds since the epoch. */
  readonly nowMs: number;
  readonly waitMs: number;
  readonly meters: readonly MeterAnswer[];
}

export interface ReportItem {
  readonly meter: MeterShape;
  /** Of a window: the bucket; -1 is the current one. */
  readonly bucket: number;
  /** What is added to it, or the slice of calls. */
  readonly amount: number;
}

export interface ReportAnswer {
  readonly nowMs: number;
  /** Identifies the data set in Redis: another one after everything in it was lost. */
  readonly dataEpoch: string;
  /** Live gateways, and the place of this one among them, from 0. */
  readonly gateways: number;
  readonly rank: number;
  readonly used: readonly number[];
}

/** What is used of a limit, as Redis counts it. */
export interface Figure {
  /** Of the meter. */
  readonly name: string;
  /** In its window; of calls at the same time, by others than this gateway. */
  readonly used: number;
}

export interface ListenAnswer {
  /** From where to ask for what changes next. */
  readonly nextMs: number;
  readonly figures: readonly Figure[];
}

/** Where gateways share their limits. Every method rejects when Redis cannot be reached or does not answer in time. */
export interface LimitStore {
  readonly ready: boolean;
  take(items: readonly TakeItem[]): Promise<TakeAnswer>;
  report(items: readonly ReportItem[]): Promise<ReportAnswer>;
  /**
   * Figures of meters that have changed, at whichever gateway; 500 at once.
   *
   * @param sinceMs on Redis' clock; what has not changed for ten seconds is not told any more.
   */
  listen(sinceMs: number): Promise<ListenAnswer>;
  close(): Promise<void>;
}

export interface LimitStoreOptions {
  readonly redis: RedisScope;
  readonly owner: HoldOwner;
  /** Called whenever the connection is there, for the first time or again. */
  readonly onReady: () => void;
  /** Called once when Redis cannot be reached, until it can again. */
  readonly onOutage: (error: Error) => void;
  /** A Redis that is silent for longer counts as away, in milliseconds; 2,000 by default. */
  readonly answersWithinMs?: number;
  /**
   * Begins the names of what is known of those who share the limits, where that are not the gateways: video workers count with them
   * in the limits of channels, and may touch nothing else of theirs.
   */
  readonly apart?: string;
}

const RETRY_MS = 250;
const ANSWERS_WITHIN_MS = 2_000;
const FIGURES_OF_METER = 4;

/** Commands leave in the order in which they are asked for, over one connection: a later report undoes an earlier one. */
export class RedisLimitStore implements LimitStore {
  readonly #redis: Redis;
  readonly #scope: RedisScope;
  readonly #owner: HoldOwner;
  readonly #apart: string;
  #inOutage = false;

  constructor({
    redis,
    owner,
    onReady,
    onOutage,
    answersWithinMs = ANSWERS_WITHIN_MS,
    apart = '',
  }: LimitStoreOptions) {
    this.#apart = apart;
    this.#scope = redis;
    this.#owner = owner;
    this.#redis = new Redis({
      ...redisOptions(redis.redisUrl),
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: answersWithinMs,
      retryStrategy: () => RETRY_MS,
    });
    this.#redis.on('error', (error: Error) => {
      if (!this.#inOutage) onOutage(error);
      this.#inOutage = true;
    });
    this.#redis.on('ready', () => {
      this.#inOutage = false;
      onReady();
    });
  }

  get ready(): boolean {
    return isReady(this.#redis);
  }

  async take(items: readonly TakeItem[]): Promise<TakeAnswer> {
    const figures = items.flatMap(({ meter: { kind, limit, bucketMs, buckets }, need, want }) => [
      kind,
      limit,
      bucketMs,
      buckets,
      need,
      want,
    ]);
    const answer = await this.#run(TAKE, items, figures);
    const [state, nowMs, , waitMs, ...rest] = answer.map(Number);
    return {
      state: state === 1 ? 'granted' : state === 0 ? 'refused' : 'later',
      nowMs: nowMs ?? 0,
      waitMs: waitMs ?? 0,
      meters: items.map((_, index) => {
        const [used = 0, given = 0, resetMs = 0, wait = 0] = rest.slice(index * FIGURES_OF_METER);
        return { used, given, resetMs, waitMs: wait };
      }),
    };
  }

  async report(items: readonly ReportItem[]): Promise<ReportAnswer> {
    const figures = items.flatMap(({ meter: { kind, bucketMs, buckets }, bucket, amount }) => [
      kind,
      bucketMs,
      buckets,
      bucket,
      amount,
    ]);
    const [nowMs, dataEpoch, gateways, rank, ...used] = await this.#run(REPORT, items, figures);
    return {
      nowMs: Number(nowMs),
      dataEpoch: String(dataEpoch),
      gateways: Number(gateways),
      rank: Number(rank),
      used: used.map(Number),
    };
  }

  async listen(sinceMs: number): Promise<ListenAnswer> {
    const [nextMs, ...rest] = await this.#run(LISTEN, [], [sinceMs]);
    const figures: Figure[] = [];
    for (let at = 0; at < rest.length; at += 2) {
      const name = String(rest[at]).slice(this.#scope.name('limit:').length);
      figures.push({ name, used: Number(rest[at + 1]) });
    }
    return { nextMs: Number(nextMs), figures };
  }

  async close(): Promise<void> {
    if (this.ready) {
      await settleSoon(this.#run(LEAVE, [], []));
      await settleSoon(this.#redis.quit());
    }
    this.#redis.disconnect();
  }

  async #run(
    script: Script,
    items: readonly { readonly meter: MeterShape }[],
    figures: readonly (string | number)[],
  ): Promise<unknown[]> {
    const shared = ['gateways', 'life', 'changed'].map((name) => this.#apart + name);
    const keys = [...shared, ...items.map(({ meter }) => meter.name)];
    const names = keys.map((key) => this.#scope.name(`limit:${key}`));
    const parameters = [...names, this.#owner.instance, this.#owner.epoch, ...figures];
    try {
      return (await this.#redis.evalsha(script.digest, names.length, ...parameters)) as unknown[];
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await this.#redis.eval(script.text, names.length, ...parameters)) as unknown[];
    }
  }
}

interface Script {
  readonly text: string;
  readonly digest: string;
}

function toScript(text: string): Script {
  return { text, digest: createHash('sha1').update(text).digest('hex') };
}

const TAKE = toScript(TAKE_SCRIPT);
const REPORT = toScript(REPORT_SCRIPT);
const LISTEN = toScript(LISTEN_SCRIPT);
const LEAVE = toScript(LEAVE_SCRIPT);
