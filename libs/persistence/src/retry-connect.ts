import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectTimeout } from './to-database-error.js';

const AGAIN_AFTER_MS = 500;
/** A machine that is still slow after this needs somebody to look at it. */
const TRIED_FOR_MS = 60_000;

/**
 * Runs a step of a plane's start again while connections to Postgres time out: where many processes start at once on a busy
 * machine, the first ones take longer than a call may wait.
 *
 * @param onTimeout called before each further try.
 * @throws what `step` throws for any other reason, and after a minute.
 */
export async function retryConnect<Result>(
  step: () => Promise<Result>,
  onTimeout: (reason: string) => void | Promise<void> = () => undefined,
): Promise<Result> {
  const deadline = performance.now() + TRIED_FOR_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!isConnectTimeout(error) || performance.now() > deadline) throw error;
      await onTimeout('Postgres does not take connections in time.');
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
