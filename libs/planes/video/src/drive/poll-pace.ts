import type { JobSurface } from '@mg/providers';

const FIRST_MS = 3_000;
const LONGEST_MS = 15_000;
/** A job is polled after each tenth of the time it has taken so far. */
const SHARE = 10;
const LONGEST_AFTER_FAILURES_MS = 60_000;

/** In how many seconds a job is polled next: seldom the older it gets, and more seldom while polls report nothing. */
export function nextPollSeconds(
  { pollEveryMs }: Pick<JobSurface, 'pollEveryMs'>,
  { elapsedMs, failures }: { readonly elapsedMs: number; readonly failures: number },
): number {
  const { first, longest } = pollEveryMs ?? { first: FIRST_MS, longest: LONGEST_MS };
  const ordinary = Math.min(longest, Math.max(first, elapsedMs / SHARE));
  if (failures === 0) return ordinary / 1_000;
  return Math.min(LONGEST_AFTER_FAILURES_MS, ordinary * 2 ** Math.min(failures, 10)) / 1_000;
}
