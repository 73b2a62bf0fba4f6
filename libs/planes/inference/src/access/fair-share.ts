import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@mg/contract';
import { limitEntries } from '@mg/runtime';
import { LRUCache } from 'lru-cache';

/** What one key or one address may ask of something that costs nothing. */
export interface ShareLimits {
  readonly perSecond: number;
  /** Requests that may come at once after a pause. */
  readonly burst: number;
  /** Requests that are answered at the same time. */
  readonly atOnce: number;
  /** Requests that may wait for their turn; more are refused. */
  readonly waiting: number;
}

interface Account {
  /** Requests left of the burst, and when that was true. */
  left: number;
  countedMs: number;
  running: number;
  readonly queue: (() => void)[];
}

/** Accounts that are kept: the least active ones are forgotten, which gives them their burst again. */
const MAX_ACCOUNTS = 20_000;
const SECOND_MS = 1_000;
/** Who is refused hears of it after this time: a client that asks again at once would otherwise take the processor from all others. */
const REFUSED_AFTER_MS = 250;

/** Shares something free among those who ask for it: by a rate, and by how many are answered at once. */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #now: () => number;
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #accounts = new LRUCache<string, Account>(limitEntries(MAX_ACCOUNTS));

  constructor(
    limits: ShareLimits,
    now: () => number = () => performance.now(),
    pause: (ms: number) => Promise<unknown> = sleep,
  ) {
    this.#limits = limits;
    this.#now = now;
    this.#pause = pause;
  }

  /**
   * Does some work for a key or an address once it is its turn.
   *
   * @throws GatewayError `rate_limited` with the seconds to wait, and what `work` throws.
   */
  async run<Result>(id: string, work: () => Result | Promise<Result>): Promise<Result> {
    await this.count(id);
    return this.takeTurn(id, work);
  }

  /** The same without counting it: only how many are answered at once is limited. */
  async takeTurn<Result>(id: string, work: () => Result | Promise<Result>): Promise<Result> {
    const account = this.#find(id);
    await this.#enter(account);
    try {
      return await work();
    } finally {
      const next = account.queue.shift();
      if (next) next();
      else account.running--;
    }
  }

  /** Counts one request that needs no turn. @throws GatewayError `rate_limited` with the seconds to wait. */
  async count(id: string): Promise<void> {
    const waitSeconds = this.#count(this.#find(id));
    if (waitSeconds > 0) await this.#refuse(waitSeconds);
  }

  /** Counts one request that is answered in any case. @returns whether its sender has used up its share. */
  isOver(id: string): boolean {
    return this.#count(this.#find(id)) > 0;
  }

  #find(id: string): Account {
    let account = this.#accounts.get(id);
    if (!account) {
      account = { left: this.#limits.burst, countedMs: this.#now(), running: 0, queue: [] };
      this.#accounts.set(id, account);
    }
    return account;
  }

  /** Answers 0, or the seconds to wait for who may not ask now. */
  #count(account: Account): number {
    const { perSecond, burst } = this.#limits;
    const nowMs = this.#now();
    account.left = Math.min(burst, account.left + ((nowMs - account.countedMs) / SECOND_MS) * perSecond);
    account.countedMs = nowMs;
    if (account.left < 1) return Math.ceil((1 - account.left) / perSecond);
    account.left--;
    return 0;
  }

  /** A turn is handed on by who ends, so that `running` stays the same. */
  async #enter(account: Account): Promise<void> {
    if (account.running < this.#limits.atOnce) {
      account.running++;
      return;
    }
    if (account.queue.length >= this.#limits.waiting) await this.#refuse(1);
    await new Promise<void>((resolve) => account.queue.push(resolve));
  }

  async #refuse(retryAfter: number): Promise<never> {
    await this.#pause(REFUSED_AFTER_MS);
    throw new GatewayError('rate_limited', 'Too many requests that cost nothing: send fewer of them.', {
      retryAfter,
    });
  }
}

/** What a key may be refused for mistakes of its own before it is slowed down: agents repeat them without a pause. */
const REFUSALS: ShareLimits = { perSecond: 20, burst: 2_000, atOnce: 0, waiting: 0 };

/** Conversations that a key may have read at the same time: a small request may bring megabytes of them. */
const RECALLS: ShareLimits = { perSecond: Infinity, burst: Infinity, atOnce: 4, waiting: 508 };

/** The shares of everything that is free. Polls of SDKs, of dashboards and of monitoring stay far below them. */
export class FreeShares {
  /** By key: one that belongs to a reseller polls the tasks of many. */
  readonly calls = new FairShare({ perSecond: 200, burst: 400, atOnce: 16, waiting: 496 });
  /** By key: what reads many rows of the database. */
  readonly sums = new FairShare({ perSecond: 5, burst: 20, atOnce: 1, waiting: 7 });
  /** By key: what reads a long body. */
  readonly counts = new FairShare({ perSecond: 20, burst: 100, atOnce: 4, waiting: 28 });
  /** By key: what calls go on from, which is read before anybody pays for it. */
  readonly recalls = new FairShare(RECALLS);
  /** By key: calls that are refused before any channel is asked. */
  readonly refusals = new FairShare(REFUSALS);
  /** By address: what wants no key. */
  readonly strangers = new FairShare({ perSecond: 50, burst: 200, atOnce: 16, waiting: 48 });
  /** By address: unknown keys. Only who sends such a key is refused, never one whose key is good. */
  readonly unknownKeys = new FairShare({ perSecond: 20, burst: 200, atOnce: 4, waiting: 252 });
}
