import { setTimeout as sleep } from 'node:timers/promises';

const MAX_TRIES = 4;
/**
 * Serialization failure, deadlock detected: the moment was wrong, not the question. A lock that was not had in time is not
 * waited for again here: the caller has a time limit of its own.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** Runs a transaction again, after a short random wait, when Postgres ended it because of another one. */
export async function retryConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error;
      await sleep(Math.random() * 10 * 2 ** tries);
    }
  }
}

function isConflict(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && CONFLICTS.has(error.code);
}
