import { setTimeout as sleep } from 'node:timers/promises';

export interface Repetition {
  /** Starts no further run and waits for the one in progress. */
  close(): Promise<void>;
}

/** Runs a task now and again after each pause, never twice at once; a run that fails is reported and does not end the series. */
export function repeatEvery(
  pauseMs: number | (() => number),
  task: () => Promise<void>,
  failed: (error: unknown) => void,
): Repetition {
  const stop = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await task().catch(failed);
      const pause = typeof pauseMs === 'number' ? pauseMs : pauseMs();
      await sleep(pause, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
