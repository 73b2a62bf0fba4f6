import { z } from 'zod';
import { REFUSALS } from './refusals.js';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(\d{1,9})(ms|s|m|h)$/;
const POSITIVE = /^0{0,8}[1-9]\d{0,8}(ms|s|m|h)$/;

const durationText = z.string().regex(DURATION, REFUSALS.no_duration);

/** Schema of a duration such as `250ms`, `3s`, `15m` or `1h`; reads as milliseconds. */
export const durationSchema = durationText.transform(toMs);

/** The same for what cannot be zero. */
export const positiveDurationSchema = durationText
  .refine((text) => POSITIVE.test(text), REFUSALS.duration_zero)
  .meta({ pattern: POSITIVE.source })
  .transform(toMs);

function toMs(text: string): number {
  const [, count = '0', unit = 's'] = DURATION.exec(text) ?? [];
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
