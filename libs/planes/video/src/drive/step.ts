import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel, Task } from '@mg/contract';

/** What a step leaves: seconds until the task's next one, nothing more to do here, or a task whose time is over. */
export type StepOutcome = number | 'done' | 'overdue';

/** How long a claim lasts: longer than any step, so that no two workers take the same one, and what a dead one had waits no longer. */
export const LEASE_SECONDS = 30;
/** Time for one request to a provider within a step; a submit has more, under a lease of its own. */
export const STEP_TIMEOUT_MS = 20_000;
/** A provider may take its time over an order that carries images; a channel may be given less. */
const LONGEST_SUBMIT_MS = 90_000;
/** When a channel has no room for another request. */
export const CHANNEL_BUSY_SECONDS = 0.3;

/** After this time no submit to the channel is in progress, so that one whose worker was lost may be looked for. */
export function limitSubmitMs({ timeouts }: Channel): number {
  return Math.min(timeouts.totalMs, LONGEST_SUBMIT_MS);
}

/** Whether a task's time is over by Postgres's clock: its last look is never later than its deadline. */
export function isPastDeadline({ nextRunAt, deadlineAt }: Task): boolean {
  return nextRunAt >= deadlineAt;
}

const WRITE_AGAIN_MS = 500;

/**
 * Writes down what a provider has answered, again and again while the database is away: it is known here and nowhere else.
 *
 * @param forSeconds after which the last failure is thrown.
 */
export async function retryUntilWritten<Written>(
  write: () => Promise<Written>,
  forSeconds = LEASE_SECONDS,
): Promise<Written> {
  const deadline = performance.now() + forSeconds * 1_000;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(WRITE_AGAIN_MS);
    }
  }
}
