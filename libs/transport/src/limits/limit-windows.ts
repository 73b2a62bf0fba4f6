import type { LimitScope } from '@mg/contract';

const SECOND_MS = 1_000;
const TEN_MINUTES_MS = 600 * SECOND_MS;

/** The windows that rates are counted in, by buckets of time. */
export const LIMIT_WINDOWS = {
  rpm: { bucketMs: SECOND_MS, buckets: 60 },
  tpm: { bucketMs: SECOND_MS, buckets: 60 },
  rpd: { bucketMs: TEN_MINUTES_MS, buckets: 144 },
} as const;

/** The name under which every process counts the same limit. */
export function nameMeter(scope: LimitScope, id: string, measure: string): string {
  return `${scope}:${id}:${measure}`;
}
