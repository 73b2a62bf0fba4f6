import { expireAttempts, writeAttempts } from '@mg/persistence/gateway';
import { type Lifecycle, type PlaneOptions, repeatEvery } from '@mg/runtime';
import type { DataSource } from 'typeorm';
import { AttemptTally } from './call/attempt-tally.js';

const WRITE_EVERY_MS = 10_000;
const EXPIRE_EVERY_MS = 60 * 60 * 1_000;

/** Counts attempts, and reports them every ten seconds. Nothing depends on it: what cannot be written is left out. */
export function openAttempts(
  database: DataSource,
  { logger }: Pick<PlaneOptions, 'logger'>,
  life: Lifecycle,
): AttemptTally {
  const tally = new AttemptTally();
  const write = async () => {
    const figures = tally.take();
    if (figures.length > 0) await writeAttempts(database, figures);
  };
  const warn = (error: unknown) => logger.warn({ err: error }, 'figures of attempts could not be written');
  const writing = repeatEvery(WRITE_EVERY_MS, write, warn);
  const expiry = repeatEvery(EXPIRE_EVERY_MS, () => expireAttempts(database), warn);
  life.own('background', 'expiry of figures of attempts', expiry);
  life.own('background', 'figures of attempts', {
    close: async () => {
      await writing.close();
      await write().catch(warn);
    },
  });
  return tally;
}
