/** How often an operation took about how long: counts of the classes of `classOf`, the trailing empty ones left out. */
export type Histogram = readonly number[];

const FIRST_MS = 5;
/** Each class ends a fifth later than the one before: what is read off a histogram is at most so much too long. */
const STEP = 1.2;
/** Up to a quarter of an hour; whatever takes longer is in the last class. */
const LAST_CLASS = 67;

/** The class that a duration counts in. */
export function classOf(ms: number): number {
  if (ms <= FIRST_MS) return 0;
  return Math.min(LAST_CLASS, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(STEP)));
}

/**
 * What so large a share of all took at most, in milliseconds.
 *
 * @param share above 0, at most 1.
 * @returns `undefined` where nothing was counted.
 */
export function quantileOf(histogram: Histogram, share: number): number | undefined {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let below = 0;
  for (const [index, count] of histogram.entries()) {
    below += count;
    if (below >= total * share) return Math.round(FIRST_MS * STEP ** index);
  }
  return undefined;
}

/** A channel's key for a model. */
export interface AttemptPart {
  readonly channelId: string;
  readonly model: string;
  /** Hint of the key; empty where the channel has none. */
  readonly key: string;
}

export interface AttemptFailure {
  readonly at: Date;
  readonly status: number | undefined;
  readonly reason: string;
}

/** How the attempts of one part went. Those that their caller left, or was at fault for, are in none of these. */
export interface AttemptFigures extends AttemptPart {
  readonly served: number;
  readonly failed: number;
  /** Until a whole answer was there. */
  readonly wholeMs: Histogram;
  /** Until the first event of a stream. */
  readonly firstMs: Histogram;
  readonly lastFailure: AttemptFailure | undefined;
}
