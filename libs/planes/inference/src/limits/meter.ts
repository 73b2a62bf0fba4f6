import type { LimitScope } from '@mg/contract';
import type { MeterAnswer, MeterKind, MeterShape, ReportItem } from '@mg/transport';

/** What a limit counts. */
export type Measure = 'rpm' | 'rpd' | 'tpm' | 'concurrency';

/** How gateways share a limit while Redis is unavailable. */
export interface Share {
  /** This gateway's part of an amount: the parts of all gateways that were alive when Redis last answered add up to it. */
  readonly part: (amount: number) => number;
  /** Moment of the monotonic clock at which Redis became unavailable: figures from before are put aside with each new outage. */
  readonly sinceMs: number;
}

/** What was taken of one limit for one call, to be corrected at its end. Each call has several: they are to be small. */
export interface Taken {
  readonly meter: Meter;
  /** @param amount what the call used of it in the end; all of what was taken when left out. */
  end(amount?: number): void;
}

/**
 * What this process knows of one limit. Redis counts at least what is counted here; prefetched permits are given
 * out without a request.
 */
export interface Meter extends MeterShape {
  readonly kind: MeterKind;
  readonly scope: LimitScope;
  readonly measure: Measure;
  limit: number;
  /** When it was last asked for, by the monotonic clock. */
  touchedMs: number;
  /** Of what is left, as far as it is known here. */
  readonly remaining: number;
  /** Milliseconds until all of it is there again, as far as it is known here. */
  readonly resetMs: number;
  /** Whether nothing would be lost with it. */
  readonly isIdle: boolean;

  /** Whether so much is prefetched. Counts the demand. */
  hasPrefetched(amount: number): boolean;
  takePrefetched(amount: number): Taken;
  /** A request for so much is about to be sent: what to ask for, and how to take the answer. */
  request(amount: number): TakeRequest;
  /** Takes from this gateway's share while Redis is unavailable; otherwise the milliseconds to wait. */
  takeShare(amount: number, share: Share): Taken | number;
  /** What has to be reported to Redis. */
  listReports(): ReportItem[];
  /** What has to be reported to Redis after it lost everything. */
  listAll(): ReportItem[];
  /**
   * What is used of the limit everywhere, as Redis said.
   *
   * @param reported what this process has reported of it, of calls.
   * @param atMs when Redis said so, by the monotonic clock; just now when left out.
   */
  noteUsed(used: number, reported: number, atMs?: number): void;
}

export interface TakeRequest {
  readonly need: number;
  readonly want: number;
  grant(answer: MeterAnswer, redisNowMs: number, askedMs: number): Taken;
  /** @param answer missing where the outcome of the request is unknown. */
  refuse(answer?: MeterAnswer): void;
}
