import type { LimitScope } from '@mg/contract';
import { BATCH_MS, type MeterAnswer, type ReportItem } from '@mg/transport';
import type { Measure, Meter, TakeRequest, Share, Taken } from './meter.js';
import type { RedisClock } from './redis-clock.js';

/** A payer with fewer calls in a second prefetches nothing: it would make nearly as many requests. */
const LEAST_CALLS = 4;
const SECOND_MS = 1_000;

/** Prefetched permits. They count in `bucket`, at the end of the time in which they may be used. */
interface Batch {
  left: number;
  readonly bucket: number;
  readonly untilMs: number;
}

export interface WindowShape {
  readonly name: string;
  readonly scope: LimitScope;
  readonly measure: Measure;
  readonly bucketMs: number;
  readonly buckets: number;
}

/**
 * Requests or tokens in a sliding window, which Redis counts by buckets of time. A bucket counts until all of it is older
 * than the window, so that never more than the limit lies in any window: docs/decisions/0027-limits-and-budgets.md.
 */
export class WindowMeter implements Meter {
  readonly kind = 'window';
  readonly name: string;
  readonly scope: LimitScope;
  readonly measure: Measure;
  readonly bucketMs: number;
  readonly buckets: number;
  touchedMs = 0;
  /** What Redis counts, or will count once it is reported, for this process, by bucket. */
  readonly #own = new Map<number, number>();
  /** What has to be reported to Redis, by bucket. */
  readonly #unreported = new Map<number, number>();
  #batch: Batch | undefined;
  #isPrefetching = false;
  #demand = { second: 0, calls: 0, amount: 0, callsBefore: 0, amountBefore: 0 };
  #used = 0;
  #usedReadMs = Number.NEGATIVE_INFINITY;
  #resetAtMs = 0;
  #outage: { readonly sinceMs: number; readonly most: number } | undefined;

  constructor(
    shape: WindowShape,
    public limit: number,
    private readonly clock: RedisClock,
    /** Has `listReports` asked for soon. */
    private readonly onChange: () => void,
  ) {
    ({
      name: this.name,
      scope: this.scope,
      measure: this.measure,
      bucketMs: this.bucketMs,
      buckets: this.buckets,
    } = shape);
  }

  get remaining(): number {
    return Math.min(this.limit, Math.max(0, this.limit - this.#knownUsed + (this.#batch?.left ?? 0)));
  }

  get resetMs(): number {
    return Math.max(0, this.#resetAtMs - performance.now());
  }

  get isIdle(): boolean {
    return this.#unreported.size === 0 && this.#batch === undefined && !this.#isPrefetching;
  }

  hasPrefetched(amount: number): boolean {
    const nowMs = performance.now();
    this.#noteDemand(amount, nowMs);
    const batch = this.#batch;
    if (!batch) return false;
    if (nowMs < batch.untilMs) return batch.left >= amount;
    this.#endBatch(batch);
    return false;
  }

  takePrefetched(amount: number): Taken {
    const batch = this.#batch;
    if (!batch || batch.left < amount) throw new RangeError(`${this.name} has not prefetched so much.`);
    batch.left -= amount;
    return new TakenOfWindow(this, amount, batch.bucket);
  }

  request(amount: number): TakeRequest {
    const { calls, callsBefore, amountBefore } = this.#demand;
    if (this.#batch && this.#batch.left < amount) this.#endBatch(this.#batch);
    const prefetches = !this.#isPrefetching && !this.#batch && Math.max(calls, callsBefore) >= LEAST_CALLS;
    if (prefetches) this.#isPrefetching = true;
    const isOver = () => {
      if (prefetches) this.#isPrefetching = false;
    };
    return {
      need: amount,
      want: prefetches ? Math.max(amountBefore, this.#demand.amount) * 2 : 0,
      grant: ({ used, given, resetMs }, redisNowMs, askedMs) => {
        isOver();
        this.noteUsed(used);
        this.#resetAtMs = performance.now() + resetMs;
        if (given > 0) {
          const bucket = Math.floor((redisNowMs + BATCH_MS) / this.bucketMs);
          this.#count(bucket, given);
          this.#batch = { left: given, bucket, untilMs: askedMs + BATCH_MS };
        }
        const bucket = Math.floor(redisNowMs / this.bucketMs);
        this.#count(bucket, amount);
        return new TakenOfWindow(this, amount, bucket);
      },
      refuse: (answer?: MeterAnswer) => {
        isOver();
        if (!answer) return;
        this.noteUsed(answer.used);
        this.#resetAtMs = performance.now() + answer.resetMs;
      },
    };
  }

  takeShare(amount: number, share: Share): Taken | number {
    const { sinceMs } = share;
    const part = share.part(this.limit);
    // As with the limit itself: what may use more than all of it counts as all of it, and waits for no more than that.
    const taken = Math.min(amount, Math.max(1, part));
    const own = this.#countOwn();
    if (this.#outage?.sinceMs !== sinceMs) {
      const free = Math.max(0, this.limit - Math.max(own, this.#knownUsed));
      this.#outage = { sinceMs, most: Math.min(part, own + share.part(free)) };
    }
    const hasConverged = performance.now() - sinceMs > this.bucketMs * (this.buckets + 1);
    if (own + taken > (hasConverged ? part : this.#outage.most)) return this.#waitForOwn();
    const bucket = this.#currentBucket;
    this.#change(bucket, taken);
    return new TakenOfWindow(this, taken, bucket);
  }

  /** A call used another amount than was taken for it: less was never used in that bucket, more is used now. */
  correct(taken: number, bucket: number, used: number): void {
    if (used < taken) this.#change(bucket, used - taken);
    else if (used > taken) this.#change(this.#currentBucket, used - taken);
  }

  listReports(): ReportItem[] {
    const batch = this.#batch;
    if (batch && performance.now() >= batch.untilMs) this.#endBatch(batch);
    const items = [...this.#unreported].map(([bucket, amount]) => ({ meter: this, bucket, amount }));
    this.#unreported.clear();
    return items.length > 0 ? items : [{ meter: this, bucket: -1, amount: 0 }];
  }

  listAll(): ReportItem[] {
    this.#countOwn();
    this.#unreported.clear();
    return [...this.#own].map(([bucket, amount]) => ({ meter: this, bucket, amount }));
  }

  noteUsed(used: number, _reported = 0, atMs = performance.now()): void {
    this.#used = used;
    this.#usedReadMs = atMs;
  }

  /** A report got lost: what it would have added may be missing; what it would have taken off is left. */
  reportAgain(bucket: number, amount: number): void {
    if (amount > 0) this.#unreported.set(bucket, (this.#unreported.get(bucket) ?? 0) + amount);
  }

  get #currentBucket(): number {
    return Math.floor(this.clock.nowMs / this.bucketMs);
  }

  get #knownUsed(): number {
    const isRecent = performance.now() - this.#usedReadMs < this.bucketMs * this.buckets;
    return isRecent ? this.#used : this.#countOwn();
  }

  /** What was prefetched and not used. */
  #endBatch(batch: Batch): void {
    this.#batch = undefined;
    if (batch.left > 0) this.#change(batch.bucket, -batch.left);
  }

  #change(bucket: number, amount: number): void {
    this.#count(bucket, amount);
    this.#used = Math.max(0, this.#used + amount);
    this.#unreported.set(bucket, (this.#unreported.get(bucket) ?? 0) + amount);
    this.onChange();
  }

  #count(bucket: number, amount: number): void {
    this.#own.set(bucket, (this.#own.get(bucket) ?? 0) + amount);
    if (this.#own.size > 2 * this.buckets) this.#countOwn();
  }

  #countOwn(): number {
    const oldest = this.#currentBucket - this.buckets;
    let sum = 0;
    for (const [bucket, amount] of this.#own) {
      if (bucket < oldest) this.#own.delete(bucket);
      else sum += amount;
    }
    return sum;
  }

  /** Milliseconds until this process has used less than it has now. */
  #waitForOwn(): number {
    const first = Math.min(this.#currentBucket, ...this.#own.keys());
    return Math.max(SECOND_MS, (first + this.buckets + 1) * this.bucketMs - this.clock.nowMs);
  }

  #noteDemand(amount: number, nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS);
    const demand = this.#demand;
    if (demand.second !== second) {
      const isNext = demand.second === second - 1;
      demand.callsBefore = isNext ? demand.calls : 0;
      demand.amountBefore = isNext ? demand.amount : 0;
      demand.second = second;
      demand.calls = 0;
      demand.amount = 0;
    }
    demand.calls++;
    demand.amount += amount;
  }
}

class TakenOfWindow implements Taken {
  #isOver = false;

  constructor(
    readonly meter: WindowMeter,
    private readonly amount: number,
    private readonly bucket: number,
  ) {}

  end(used = this.amount): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.meter.correct(this.amount, this.bucket, used);
  }
}
