import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.js';

/** Something that a plane has open. */
export interface CloseStep {
  /** What it is, for the log. */
  readonly name: string;
  readonly close: () => unknown;
  /** Milliseconds that it may take; a second when left out. */
  readonly withinMs?: number;
}

const WITHIN_MS = 1_000;

/**
 * Closes one thing after the other, and those of one group at once, each whatever became of the others: what fails or
 * takes too long is logged and left behind, so that a process stops in time whatever is away. Never rejects.
 */
export async function closeInOrder(groups: readonly (readonly CloseStep[])[], logger: Logger): Promise<void> {
  for (const group of groups) await Promise.all(group.map((step) => closeOne(step, logger)));
}

async function closeOne({ name, close, withinMs = WITHIN_MS }: CloseStep, logger: Logger): Promise<void> {
  const closing = (async () => close())().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const late = sleep(withinMs, `not within ${withinMs} ms`, { ref: false });
  const reason = await Promise.race([closing, late]);
  if (reason !== undefined) logger.warn({ part: name, reason }, 'a part could not be closed properly');
}
