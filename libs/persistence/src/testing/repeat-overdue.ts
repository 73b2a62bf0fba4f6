const MAX_TRIES = 5;
/** Lock not available, query cancelled: what Postgres says to who has waited for a lock or a disk for too long. */
const OVERDUE: ReadonlySet<unknown> = new Set(['55P03', '57014']);

/** Whether Postgres ended a statement because it took too long: nothing was done, and callers ask again. */
export function isOverdue(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && OVERDUE.has(error.code);
}

/** Runs an action that may be repeated again, up to five times in all, when Postgres ended it because it took too long. */
export async function repeatOverdue<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await action();
    } catch (error) {
      if (tries === MAX_TRIES || !isOverdue(error)) throw error;
    }
  }
}
