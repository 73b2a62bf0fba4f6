let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop in which nobody else does heavy work. Large bodies are read and written in steps of some
 * milliseconds; with one step a turn everything else goes on in between, however many such bodies there are.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

/** Bodies up to this size are read and written in one step: it takes two milliseconds at most. */
const ONE_STEP_BYTES = 512 * 1024;

/** Whether work on so many bytes is to be done in steps. */
export function isHeavy(bytes: number): boolean {
  return bytes > ONE_STEP_BYTES;
}
