import type { AttemptFigures } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { writeAttempts } from './write-attempts.js';

const WRITE_EVERY_MS = 10_000;

/** Where attempts are counted. */
export interface CountedAttempts {
  /** What was counted since it was asked last. */
  take(): readonly AttemptFigures[];
}

/** Writes every ten seconds what was counted, and once more at the end. @param failed what could not be written is lost. */
export function reportAttempts(
  database: DataSource,
  attempts: CountedAttempts,
  failed: (error: unknown) => void,
): { close(): Promise<void> } {
  let writing = Promise.resolve();
  const write = () => {
    const figures = attempts.take();
    if (figures.length > 0) writing = writing.then(() => writeAttempts(database, figures)).catch(failed);
  };
  const timer = setInterval(write, WRITE_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      write();
      await writing;
    },
  };
}
