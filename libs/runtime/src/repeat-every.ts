import { setTimeout as sleep } from 'node:timers/promises';

export interface Repetition {
  /** Begins the next run without waiting for the end of the pause; the run in progress is followed by another one. */
  wake(): void;
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
  let isWoken = false;
  let pausing: AbortController | undefined;
  const running = run();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      isWoken = false;
      await task().catch(failed);
      if (stop.signal.aborted || isWoken) continue;
      pausing = new AbortController();
      const pause = typeof pauseMs === 'number' ? pauseMs : pauseMs();
      await sleep(pause, undefined, { signal: pausing.signal }).catch(() => undefined);
    }
  }

  return {
    wake() {
      isWoken = true;
      pausing?.abort();
    },
    async close() {
      stop.abort();
      pausing?.abort();
      await running;
    },
  };
}
