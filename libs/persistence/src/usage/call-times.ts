import { TIME_BOUNDS_MS } from './time-bounds.js';

/** Percentiles of the duration of calls in milliseconds, accurate to 20 %; `null` where no call has one. */
export interface CallTimes {
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
  readonly ttftP50Ms: number | null;
}

/** How many calls fell into which classes of their times, in the order of the classes; `null` where there is no call. */
export interface CallTimesRow {
  readonly class: readonly number[] | null;
  readonly latency: readonly number[] | null;
  readonly ttft: readonly number[] | null;
}

export function toCallTimes({ class: classes, latency, ttft }: CallTimesRow): CallTimes {
  return {
    latencyP50Ms: findQuantile(classes ?? [], latency ?? [], 0.5),
    latencyP95Ms: findQuantile(classes ?? [], latency ?? [], 0.95),
    ttftP50Ms: findQuantile(classes ?? [], ttft ?? [], 0.5),
  };
}

/** The time within which so large a share of the calls was done; inside a class, calls are taken as spread evenly. */
export function findQuantile(
  classes: readonly number[],
  counts: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  const index = counts.findIndex((count) => {
    if (count >= left) return true;
    left -= count;
    return false;
  });
  const found = classes[index] ?? 0;
  const from = TIME_BOUNDS_MS[found - 1] ?? 0;
  const to = TIME_BOUNDS_MS[found] ?? from;
  return Math.round(from + (to - from) * ((left - 0.5) / (counts[index] ?? 1)));
}
