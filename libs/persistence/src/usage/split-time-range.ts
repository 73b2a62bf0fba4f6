export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * A time range as rollups answer it: whole days in the middle, whole hours around them, and at both ends less than an hour,
 * answered from single calls. The moments are in order; equal ones have nothing between them.
 */
export interface SplitTimeRange {
  readonly from: Date;
  readonly hoursFrom: Date;
  readonly daysFrom: Date;
  readonly daysTo: Date;
  readonly hoursTo: Date;
  readonly to: Date;
}

/** @param options.byHour uses no days, for a series of hours. */
export function splitTimeRange(from: Date, to: Date, options: { byHour: boolean }): SplitTimeRange {
  const end = Math.max(from.getTime(), to.getTime());
  const hoursFrom = Math.min(roundUp(from.getTime(), HOUR_MS), end);
  const hoursTo = Math.max(roundDown(end, HOUR_MS), hoursFrom);
  const daysFrom = options.byHour ? hoursFrom : Math.min(roundUp(hoursFrom, DAY_MS), hoursTo);
  const daysTo = options.byHour ? hoursFrom : Math.max(roundDown(hoursTo, DAY_MS), daysFrom);
  return {
    from,
    hoursFrom: new Date(hoursFrom),
    daysFrom: new Date(daysFrom),
    daysTo: new Date(daysTo),
    hoursTo: new Date(hoursTo),
    to: new Date(end),
  };
}

/** The begin of the hour after a moment, for an end that has not come yet. */
export function endOfHour(moment: Date): Date {
  return new Date(roundDown(moment.getTime(), HOUR_MS) + HOUR_MS);
}

/** The begin of the next whole unit since 1970, or the moment itself. */
export function roundUp(timeMs: number, unitMs: number): number {
  return Math.ceil(timeMs / unitMs) * unitMs;
}

/** The begin of the whole unit that a moment is in. */
export function roundDown(timeMs: number, unitMs: number): number {
  return Math.floor(timeMs / unitMs) * unitMs;
}
