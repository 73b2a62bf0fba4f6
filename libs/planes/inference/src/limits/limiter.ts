import { setTimeout as sleep } from 'node:timers/promises';
import type { ScopedLimits } from '@mg/contract';
import type { LimitStore, TakeAnswer } from '@mg/transport';
import type { Meter, Taken } from './meter.js';
import { MeterRegistry } from './meter-registry.js';
import { NO_PERMIT, Permit } from './permit.js';
import { RedisClock } from './redis-clock.js';
import { ChannelQueue } from './channel-queue.js';
import { LimitReports, type Neighbours } from './limit-reports.js';

/** A limit that is reached, and when another try may succeed. */
export interface Refusal {
  readonly refusedBy: Meter;
  readonly waitMs: number;
}

export type LimitOutcome = Permit | Refusal;

export function isRefusal(outcome: LimitOutcome): outcome is Refusal {
  return 'refusedBy' in outcome;
}

/** For how long calls of limited keys wait at most while Redis, which lost its data, gets their figures again. */
const WAITS_FOR_REDIS = 2;

/**
 * Keeps limits over all gateways: docs/decisions/0027-limits-and-budgets.md. One request to Redis takes from all limits of a call or from
 * none; where permits were prefetched for all of them no request is made, and while Redis is unavailable each gateway has its share.
 */
export class Limiter {
  readonly #store: LimitStore;
  readonly #clock = new RedisClock();
  readonly #registry: MeterRegistry;
  readonly #reports: LimitReports;

  constructor(
    store: LimitStore,
    /** Calls for whom a channel may be free again. */
    readonly channelQueue = new ChannelQueue(),
    findNeighbours: () => Promise<Neighbours> = async () => ({ gateways: 1, rank: 0 }),
  ) {
    this.#store = store;
    this.#registry = new MeterRegistry(this.#clock, (meter) => this.#reports.note(meter));
    this.#reports = new LimitReports(store, this.#registry, this.#clock, findNeighbours);
  }

  start(): void {
    this.#reports.start();
  }

  /** The connection to Redis is there, for the first time or again. */
  reconnected(): void {
    this.#reports.reportAll();
  }

  async close(): Promise<void> {
    await this.#reports.close();
    await this.#store.close();
  }

  /** The meters of these limits. */
  find(limited: readonly ScopedLimits[]): readonly Meter[] {
    return this.#registry.findAll(limited);
  }

  /**
   * Takes a call's part of every limit, or of none.
   *
   * @param tokens that it may use at most.
   * @param more the limits of one more owner, such as a channel.
   */
  take(
    limited: readonly ScopedLimits[],
    tokens: number,
    more?: ScopedLimits,
  ): LimitOutcome | Promise<LimitOutcome> {
    const meters = this.find(limited);
    return this.#takeFrom(more ? [...meters, ...this.#registry.find(more)] : meters, tokens);
  }

  /** The same of rates alone: for a part of a call that is counted among the calls at once as a whole. */
  takeRates(limited: readonly ScopedLimits[], tokens: number): LimitOutcome | Promise<LimitOutcome> {
    return this.#takeFrom(
      this.find(limited).filter(({ measure }) => measure !== 'concurrency'),
      tokens,
    );
  }

  #takeFrom(meters: readonly Meter[], tokens: number): LimitOutcome | Promise<LimitOutcome> {
    if (meters.length === 0) return NO_PERMIT;
    const nowMs = performance.now();
    for (const meter of meters) meter.touchedMs = nowMs;
    const prefetched = takePrefetched(meters, tokens);
    if (prefetched) return prefetched;
    return this.#takeFromRedisOrShare(
      meters,
      meters.map((meter) => amountOf(meter, tokens)),
    );
  }

  async #takeFromRedisOrShare(meters: readonly Meter[], amounts: readonly number[]): Promise<LimitOutcome> {
    for (let waits = 0; !this.#reports.inOutage; waits++) {
      const { settlesInMs } = this.#reports;
      if (settlesInMs > 0) await sleep(settlesInMs);
      const outcome = await this.#takeFromRedis(meters, amounts);
      if (outcome === undefined) break;
      if (typeof outcome !== 'number') return outcome;
      if (waits === WAITS_FOR_REDIS) break;
      await sleep(outcome);
    }
    return this.#takeShare(meters, amounts);
  }

  /** Answers the milliseconds to wait before asking again; `undefined` where Redis is unavailable. */
  async #takeFromRedis(
    meters: readonly Meter[],
    amounts: readonly number[],
  ): Promise<LimitOutcome | number | undefined> {
    const requests = meters.map((meter, index) => meter.request(amounts[index] ?? 0));
    const items = meters.map((meter, index) => {
      const { need = 0, want = 0 } = requests[index] ?? {};
      return { meter, need, want };
    });
    const askedMs = performance.now();
    let answer: TakeAnswer;
    try {
      answer = await this.#store.take(items);
    } catch {
      for (const request of requests) request.refuse();
      this.#reports.noteOutage();
      return undefined;
    }
    this.#clock.note(answer.nowMs, askedMs);
    if (answer.state === 'granted') {
      const taken = requests.map((request, index) => {
        const figures = answer.meters[index];
        if (!figures) throw new Error('Redis answered for fewer limits than it was asked for.');
        return request.grant(figures, answer.nowMs, askedMs);
      });
      return new Permit(taken);
    }
    requests.forEach((request, index) => request.refuse(answer.meters[index]));
    if (answer.state === 'later') return answer.waitMs;
    return findRefusal(meters, answer);
  }

  #takeShare(meters: readonly Meter[], amounts: readonly number[]): LimitOutcome {
    const taken: Taken[] = [];
    for (const [index, meter] of meters.entries()) {
      const one = meter.takeShare(amounts[index] ?? 0, this.#reports.share);
      if (typeof one === 'number') {
        for (const earlier of taken) earlier.end(0);
        return { refusedBy: meter, waitMs: one };
      }
      taken.push(one);
    }
    return new Permit(taken);
  }
}

/** The limit to wait for the longest. A channel's own counts only where the call's own limits have room: another channel may. */
function findRefusal(meters: readonly Meter[], answer: TakeAnswer): Refusal | undefined {
  const refusals = meters
    .map((refusedBy, index) => ({ refusedBy, waitMs: answer.meters[index]?.waitMs ?? 0 }))
    .filter(({ waitMs }) => waitMs > 0);
  const own = refusals.filter(({ refusedBy }) => refusedBy.scope !== 'channel');
  return (own.length > 0 ? own : refusals).toSorted((left, right) => right.waitMs - left.waitMs)[0];
}

/** What a call takes of one limit. @param tokens that it may use at most. */
function amountOf({ measure, limit }: Meter, tokens: number): number {
  return measure === 'tpm' ? Math.min(tokens, limit) : 1;
}

/** All or nothing of what was prefetched. */
function takePrefetched(meters: readonly Meter[], tokens: number): Permit | undefined {
  let isThere = true;
  // Each is asked, so that each knows how much is wanted of it.
  for (const meter of meters) if (!meter.hasPrefetched(amountOf(meter, tokens))) isThere = false;
  if (!isThere) return undefined;
  return new Permit(meters.map((meter) => meter.takePrefetched(amountOf(meter, tokens))));
}
