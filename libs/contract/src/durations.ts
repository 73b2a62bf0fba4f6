import { z } from 'zod';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const DURATION = /^(\d{1,9})(ms|s|m|h)$/;

/** Schema of a duration such as `250ms`, `3s`, `15m` or `1h`; reads as milliseconds. */
export const durationSchema = z
  .string()
  .regex(DURATION, 'must be a duration such as 250ms, 3s, 15m or 1h')
  .transform((text) => {
    const [, count = '0', unit = 's'] = DURATION.exec(text) ?? [];
    return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  });
