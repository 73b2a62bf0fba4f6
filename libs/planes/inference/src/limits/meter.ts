import type { LimitScope } from '@mg/contract';
import type { MeterAnswer, MeterKind, MeterShape, ReportItem } from '@mg/transport';

/** What a limit counts. */
export type Measure = 'rpm' | 'rpd' | 'tpm' | 'concurrency';

/** How gateways share a limit while Redis is away. */
export interface Share {
  /** This gateway's part of the limit. */
  readonly part: (limit: number) => number;
  /** How many gateways were alive when Redis was heard last. */
  readonly gateways: number;
  /** Moment of the monotonic clock at which Redis went away: figures from before are put aside with each new outage. */
  readonly sinceMs: number;
}

/** What was taken for one call, to be put right at its end. */
export interface Taken {
  /** @param amount what the call used of it in the end; all of what was taken when left out. */
  end(amount?: number): void;
}

/**
 * What this process knows of one limit. Redis counts at least what is counted here; permits that were taken ahead are given
 * out without asking it.
 */
export interface Meter extends MeterShape {
  readonly kind: MeterKind;
  readonly scope: LimitScope;
  readonly measure: Measure;
  limit: number;
  /** Whether its process has forgotten it, so that whoever keeps it looks for another one. */
  isForgotten: boolean;
  /** When it was last asked for, by the monotonic clock. */
  touchedMs: number;
  /** Of what is left, as far as it is known here. */
  readonly remaining: number;
  /** Milliseconds until all of it is there again, as far as it is known here. */
  readonly resetMs: number;
  /** Whether nothing would be lost with it. */
  readonly isIdle: boolean;

  /** Whether so much is there ahead of calls. Counts how much is asked for. */
  hasAhead(amount: number): boolean;
  takeAhead(amount: number): Taken;
  /** A question for so much is about to be sent: what to ask for, and how to take the answer. */
  ask(amount: number): Question;
  /** Takes from this gateway's share while Redis is away; otherwise the milliseconds to wait. */
  takeShare(amount: number, share: Share): Taken | number;
  /** What Redis has to be told. */
  listReports(): ReportItem[];
  /** What Redis has to be told after it lost everything. */
  listAll(): ReportItem[];
  /** What is used of the limit everywhere, as Redis said just now. @param told what this process has told of it, of calls. */
  noteUsed(used: number, told: number): void;
}

export interface Question {
  readonly need: number;
  readonly want: number;
  grant(answer: MeterAnswer, redisNowMs: number, askedMs: number): Taken;
  /** @param answer missing where nobody knows what became of the question. */
  refuse(answer?: MeterAnswer): void;
}
