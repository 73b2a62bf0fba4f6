import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from './describe-error.js';
import type { Logger } from './logger.js';

/** Something that is open and has to be closed. */
export interface CloseStep {
  /** What it is, for the log. */
  readonly name: string;
  readonly close: () => unknown;
  /** Milliseconds that it may take; a second when left out. */
  readonly withinMs?: number | undefined;
  /** Whether its failure is one of the whole stop, since something is lost with it. */
  readonly required?: boolean;
}

const WITHIN_MS = 1_000;

/**
 * Closes one group after the other, and those of one group at once, each whatever became of the others: what fails or
 * takes too long is logged and left behind, so that a process stops in time whatever is away. Never rejects.
 *
 * @returns why required steps failed.
 */
export async function closeInOrder(
  groups: readonly (readonly CloseStep[])[],
  logger: Logger,
): Promise<string[]> {
  const lost: string[] = [];
  for (const group of groups) {
    const reasons = await Promise.all(group.map((step) => closeOne(step, logger)));
    group.forEach((step, index) => {
      const reason = reasons[index];
      if (step.required && reason !== undefined) lost.push(`${step.name}: ${reason}`);
    });
  }
  return lost;
}

async function closeOne(
  { name, close, withinMs = WITHIN_MS, required }: CloseStep,
  logger: Logger,
): Promise<string | undefined> {
  const closing = (async () => close())().then(() => undefined, errorMessage);
  const late = sleep(withinMs, `not within ${withinMs} ms`, { ref: false });
  const reason = await Promise.race([closing, late]);
  if (reason !== undefined) {
    logger[required ? 'error' : 'warn']({ part: name, reason }, 'a part could not be closed properly');
  }
  return reason;
}
