const DAY_MS = 24 * 3_600_000;

/** Days that the view can show, today among them. */
export const WASTE_PERIODS = [7, 30] as const;
export type WasteDays = (typeof WASTE_PERIODS)[number];

/** Where so many days up to now begin, in UTC. */
export function beginOfDays(days: WasteDays, nowMs: number): string {
  return new Date((Math.floor(nowMs / DAY_MS) - days + 1) * DAY_MS).toISOString();
}
