import {
  type HoldOwner,
  LEASE_MARGIN_MS,
  LEASE_TTL_MS,
  type LeaseOutcome,
  type LeasePort,
  type NanoUsd,
  newId,
} from '@mg/contract';
import { limitEntries } from '@mg/runtime';
import { LRUCache } from 'lru-cache';
import { LeaseRequests, type PendingLeaseRequest } from './lease-requests.js';
import { LeaseReturns } from './lease-returns.js';
import { type LeasedCall, LeaseSlice } from './lease-slice.js';
import type { LeasePayer, Leases } from './leases.js';
import { PayerDemand } from './payer-demand.js';

/** Calls within two seconds that make a lease worth its own round trips. */
const LEAST_CALLS = 5;
/** A lease is asked for while the one before has this much of its time left. */
const RENEW_BEFORE_MS = 2_000;
const RETRY_AFTER_MS = 2_000;
const RETRY_IF_BUSY_MS = 200;
/** Payers that have leases at once, and payers that are remembered. */
const MAX_LEASED = 500;
const MAX_KNOWN = 10_000;
/** Billing that leaves so many questions unanswered is asked no further ones. */
const MAX_UNANSWERED = 100;
const CHECK_EVERY_MS = 500;

export interface LeaseRegistryOptions {
  readonly port: LeasePort;
  readonly owner: HoldOwner;
  /** Keeps what billing holds alive as long as it is needed. */
  readonly held: {
    begin(id: string, askedMs: number, ttlSeconds: number): void;
    end(id: string): void;
  };
  /** How long the longest call may take, with a margin, in seconds. */
  readonly ttlSeconds: () => number;
  /** Writes the usage of calls that are over to Postgres; answers whether it is there. */
  readonly flushUsage: () => Promise<boolean>;
  /** Called for requests that billing did not answer. */
  readonly onFailure: (error: unknown) => void;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly maxLeased?: number;
}

/**
 * The leases of this process. A call is admitted by arithmetic alone; leases are asked for and given back in the background:
 * docs/decisions/0022-leases.md.
 */
export class LeaseRegistry implements Leases {
  readonly #options: LeaseRegistryOptions;
  readonly #now: () => number;
  readonly #known = new LRUCache<string, PayerDemand>(limitEntries(MAX_KNOWN));
  /** Slices that admit calls, by payer; those used least recently first. */
  readonly #slices = new Map<string, LeaseSlice[]>();
  /** Wallets that admit no calls from leases until this moment, since somebody needs their last dollar. */
  readonly #recalled = new Map<string, number>();
  readonly #questions: LeaseRequests;
  readonly #returns: LeaseReturns;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LeaseRegistryOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#returns = new LeaseReturns(options);
    this.#questions = new LeaseRequests({
      ...options,
      now: this.#now,
      onAnswer: (question, outcome) => this.#take(question, outcome),
      onLost: ({ id, demand }) => {
        this.#endQuestion(demand, RETRY_AFTER_MS);
        this.#keepLooking();
        // It may have been granted all the same.
        this.#returns.addUnanswered({ id, walletId: demand.walletId, tokenId: demand.tokenId });
      },
    });
  }

  /** Leases that admit calls, and those that wait to be given back. */
  get size(): number {
    let count = this.#returns.size;
    for (const slices of this.#slices.values()) count += slices.length;
    return count;
  }

  admit({ walletId, tokenId }: LeasePayer, worst: NanoUsd): LeasedCall | undefined {
    const nowMs = this.#now();
    const key = `${walletId} ${tokenId}`;
    let demand = this.#known.get(key);
    if (!demand) {
      demand = new PayerDemand(walletId, tokenId);
      this.#known.set(key, demand);
    }
    demand.note(worst, nowMs);
    const slices = this.#slices.get(key);
    const call = slices && this.#admitFrom(slices, worst, nowMs);
    if (call && slices) {
      this.#slices.delete(key);
      this.#slices.set(key, slices);
    }
    this.#requestIfNeeded(demand, slices, nowMs);
    return call;
  }

  /** Somebody needs the last dollar of a wallet, or a quota was changed: gives back what is not in use, and takes no more for a while. */
  recall(walletId: string): void {
    this.#keepLooking();
    this.#recalled.set(walletId, this.#now() + LEASE_TTL_MS);
    for (const slice of [...this.#slices.values()].flat()) if (slice.walletId === walletId) slice.retire();
    this.#look();
  }

  /** Gives back everything that is not in use. Usage has to be on its way to Postgres by now. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#questions.whenAnswered();
    for (const slice of [...this.#slices.values()].flat()) slice.retire();
    this.#retireEnded(this.#now());
    await this.#returns.giveBack();
  }

  #admitFrom(slices: readonly LeaseSlice[], worst: NanoUsd, nowMs: number): LeasedCall | undefined {
    if (this.#closed) return undefined;
    for (const slice of slices) {
      const call = slice.admit(worst, nowMs);
      if (call) return call;
    }
    return undefined;
  }

  #requestIfNeeded(demand: PayerDemand, slices: readonly LeaseSlice[] | undefined, nowMs: number): void {
    if (this.#closed || demand.isAsking || nowMs < demand.nextRequestMs) return;
    if (this.#returns.unanswered >= MAX_UNANSWERED) return;
    const { calls, sum, largest } = demand.read(nowMs);
    if (calls < LEAST_CALLS || sum === 0n || this.#isRecalled(demand.walletId, nowMs)) return;
    const enough = sum / 2n > largest ? sum / 2n : largest;
    const isEnough = (slice: LeaseSlice) =>
      slice.left >= enough && slice.admitUntilMs - nowMs > RENEW_BEFORE_MS;
    if (slices?.some(isEnough)) return;
    demand.isAsking = true;
    this.#questions.ask({ id: newId(), demand, wanted: sum * 2n, worst: largest });
  }

  #take({ id, demand, askedMs, ttlSeconds }: PendingLeaseRequest, outcome: LeaseOutcome): void {
    if ('refused' in outcome) {
      this.#endQuestion(demand, outcome.refused === 'busy' ? RETRY_IF_BUSY_MS : RETRY_AFTER_MS);
      return;
    }
    this.#endQuestion(demand, 0);
    this.#keepLooking();
    const { walletId, tokenId } = demand;
    const admitUntilMs = askedMs + LEASE_TTL_MS - LEASE_MARGIN_MS;
    const slice = new LeaseSlice({ id, walletId, tokenId, amount: outcome.granted, admitUntilMs });
    this.#options.held.begin(id, askedMs, ttlSeconds);
    if (this.#closed || this.#isRecalled(walletId, this.#now())) {
      this.#retire(slice);
      return;
    }
    const key = `${walletId} ${tokenId}`;
    this.#slices.set(key, [...(this.#slices.get(key) ?? []), slice]);
    this.#makeRoom();
  }

  #endQuestion(demand: PayerDemand, againAfterMs: number): void {
    demand.isAsking = false;
    demand.nextRequestMs = this.#now() + againAfterMs;
  }

  /** The payer whose leases were used least recently goes back to holds. */
  #makeRoom(): void {
    const [oldest] = this.#slices;
    if (!oldest || this.#slices.size <= (this.#options.maxLeased ?? MAX_LEASED)) return;
    const [key, slices] = oldest;
    this.#slices.delete(key);
    for (const slice of slices) this.#retire(slice);
  }

  #isRecalled(walletId: string, nowMs: number): boolean {
    return (this.#recalled.get(walletId) ?? 0) > nowMs;
  }

  /** Looks after leases from now on, while there is anything to look after. */
  #keepLooking(): void {
    if (!this.#closed) this.#timer ??= setInterval(() => this.#look(), CHECK_EVERY_MS).unref();
  }

  #look(): void {
    if (this.size + this.#returns.unanswered + this.#recalled.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const nowMs = this.#now();
    for (const [walletId, untilMs] of this.#recalled) if (untilMs <= nowMs) this.#recalled.delete(walletId);
    this.#retireEnded(nowMs);
    void this.#returns.giveBack();
  }

  #retireEnded(nowMs: number): void {
    for (const [key, slices] of this.#slices) {
      const living = slices.filter((slice) => slice.admitUntilMs > nowMs);
      if (living.length === slices.length) continue;
      for (const slice of slices) if (!living.includes(slice)) this.#retire(slice);
      if (living.length === 0) this.#slices.delete(key);
      else this.#slices.set(key, living);
    }
  }

  #retire(slice: LeaseSlice): void {
    slice.retire();
    this.#returns.add(slice);
  }
}
