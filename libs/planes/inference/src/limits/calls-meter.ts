import type { LimitScope } from '@mg/contract';
import type { MeterAnswer, ReportItem } from '@mg/transport';
import type { Meter, TakeRequest, Share, Taken } from './meter.js';

/** Calls that a gateway takes ahead at most, as a share of the limit, while that is ample. */
const PREFETCH_SHARE = 32;
const WAIT_MS = 1_000;
const SECOND_MS = 1_000;

/**
 * Calls at the same time. This process may have `slice` of them, which Redis knows; all slices together are never more than
 * the limit. A slice grows by requests, and what is not used of it is given back: at once where the limit is not ample.
 */
export class CallsMeter implements Meter {
  readonly kind = 'calls';
  readonly measure = 'concurrency';
  readonly bucketMs = 0;
  readonly buckets = 0;
  touchedMs = 0;
  #running = 0;
  /** Calls that Redis is being asked about. */
  #pending = 0;
  /** What may be given out here. */
  #slice = 0;
  /** What was reported to Redis, or it has granted: what it may count for this process at most. */
  #reported = 0;
  #elsewhere = 0;
  /** The most that others had in this second and the one before. */
  #most = { second: 0, now: 0, before: 0 };
  /** Counts reports: an answer to a request that was sent before one must not raise the slice above it. */
  #reports = 0;
  #outage: { readonly sinceMs: number; readonly most: number } | undefined;

  constructor(
    readonly name: string,
    readonly scope: LimitScope,
    public limit: number,
    /** Has `listReports` asked for soon. */
    private readonly onChange: () => void,
  ) {}

  get remaining(): number {
    return Math.max(0, this.limit - this.#elsewhere - this.#running);
  }

  get resetMs(): number {
    return 0;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#pending === 0 && this.#slice === 0 && this.#reported === 0;
  }

  hasPrefetched(): boolean {
    return this.#running + this.#pending < this.#slice;
  }

  takePrefetched(): Taken {
    return this.#begin();
  }

  request(): TakeRequest {
    this.#pending++;
    const need = this.#running + this.#pending;
    const reports = this.#reports;
    return {
      need,
      want: need + Math.floor(this.limit / PREFETCH_SHARE),
      grant: ({ used, given }) => {
        this.#pending--;
        const taken = this.#begin();
        if (reports === this.#reports) {
          this.#slice = Math.max(this.#slice, given);
          this.#reported = Math.max(this.#reported, given);
        }
        this.#slice = Math.max(this.#slice, this.#running);
        this.#noteElsewhere(used - given);
        return taken;
      },
      refuse: (answer?: MeterAnswer) => {
        this.#pending--;
        if (answer) this.#noteElsewhere(answer.used - answer.given);
        if (answer) this.#giveBackSurplus();
        // It may have been granted all the same.
        else this.onChange();
      },
    };
  }

  takeShare(_amount: number, share: Share): Taken | number {
    const { sinceMs } = share;
    const part = share.part(this.limit);
    if (this.#outage?.sinceMs !== sinceMs) {
      const free = Math.max(0, this.limit - Math.max(this.#most.now, this.#most.before) - this.#slice);
      const most = Math.max(this.#slice, Math.min(part, this.#slice + share.part(free)));
      this.#outage = { sinceMs, most };
    }
    if (this.#running >= this.#outage.most) return WAIT_MS;
    const taken = this.#begin();
    this.#slice = Math.max(this.#slice, this.#running);
    return taken;
  }

  listReports(): ReportItem[] {
    this.#reports++;
    // Requests in progress may be granted before Redis reads this; what they ask for is no slice until they are.
    this.#reported = Math.max(this.#running + this.#pending, Math.min(this.#slice, this.#kept));
    this.#slice = Math.min(this.#slice, this.#reported);
    return [{ meter: this, bucket: 0, amount: this.#reported }];
  }

  listAll(): ReportItem[] {
    return this.listReports();
  }

  noteUsed(used: number, reported: number): void {
    this.#noteElsewhere(Math.max(0, used - reported));
  }

  #noteElsewhere(calls: number): void {
    this.#elsewhere = calls;
    const second = Math.floor(performance.now() / SECOND_MS);
    const { second: known, now } = this.#most;
    if (known === second) this.#most.now = Math.max(now, calls);
    else this.#most = { second, now: calls, before: known === second - 1 ? now : calls };
  }

  get #kept(): number {
    return this.#running + this.#pending + this.#ahead;
  }

  /** Calls that are kept beyond those that run. */
  get #ahead(): number {
    const isAmple = this.#elsewhere + this.#slice <= this.limit / 2;
    return isAmple ? Math.floor(this.limit / PREFETCH_SHARE) : 0;
  }

  /** One of the calls has ended. */
  finish(): void {
    this.#running--;
    this.#giveBackSurplus();
  }

  #begin(): Taken {
    this.#running++;
    return new RunningCall(this);
  }

  /** While the limit is ample, only much of it is given back before the report of each second: it is no report for each call. */
  #giveBackSurplus(): void {
    if (Math.max(this.#slice, this.#reported) > this.#kept + this.#ahead) this.onChange();
  }
}

class RunningCall implements Taken {
  #isOver = false;

  constructor(readonly meter: CallsMeter) {}

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.meter.finish();
  }
}
