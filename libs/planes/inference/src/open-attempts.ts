import { expireAttempts, reportAttempts } from '@mg/persistence/gateway';
import { AttemptTally } from '@mg/routing';
import { type Lifecycle, type PlaneOptions, repeatEvery } from '@mg/runtime';
import type { DataSource } from 'typeorm';

const EXPIRE_EVERY_MS = 60 * 60 * 1_000;

/** Counts attempts, and reports them. Nothing depends on it: what cannot be written is left out. */
export function openAttempts(
  database: DataSource,
  { logger }: Pick<PlaneOptions, 'logger'>,
  life: Lifecycle,
): AttemptTally {
  const tally = new AttemptTally();
  const warn = (error: unknown) => logger.warn({ err: error }, 'figures of attempts could not be written');
  const expiry = repeatEvery(EXPIRE_EVERY_MS, () => expireAttempts(database), warn);
  life.own('background', 'expiry of figures of attempts', expiry);
  life.own('background', 'figures of attempts', reportAttempts(database, tally, warn));
  return tally;
}
