import type { JobSurface } from '@mg/providers';

const FIRST_MS = 3_000;
const LONGEST_MS = 15_000;
/** A job is polled after each tenth of the time it has taken so far. */
const SHARE = 10;
const LONGEST_AFTER_FAILURES_MS = 60_000;

/** Tasks run for minutes: a place that becomes free is not free for long, and none is looked for more often. */
const ROOM_MS = 12_500;
const RATE_LONGEST_MS = 60_000;
/** The last part of a pause is left to chance, so that tasks that began to wait together do not ask together. */
const ROOM_JITTER = 0.2;

/**
 * In how many seconds a task that waits for a full channel looks for room again: from 10 to 12.5, however long it has waited, so that
 * it finds a place as soon as those that came later.
 *
 * @param random from 0 to 1.
 */
export function nextRoomSeconds(random: number): number {
  return leaveToChance(ROOM_MS, random);
}

/**
 * In how many seconds a task whose order is long, and was read in vain, is tried again where the rates of its channels are used up:
 * from 10 to 60, the longer it waits.
 *
 * @param random from 0 to 1.
 */
export function nextRateSeconds(waitedMs: number, random: number): number {
  return leaveToChance(Math.min(RATE_LONGEST_MS, Math.max(ROOM_MS, waitedMs / SHARE)), random);
}

function leaveToChance(mostMs: number, random: number): number {
  return (mostMs * (1 - ROOM_JITTER * random)) / 1_000;
}

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
