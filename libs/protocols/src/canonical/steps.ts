/** Work on something long, which can be left between two of its items: whoever runs it says for how long. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Done in one step. */
const STEP_MS = 2;

/** Does all of the work at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value;
}

/** The same work as a function that does all of it at once. */
export function atOnce<Args extends unknown[], T>(work: (...args: Args) => Steps<T>): (...args: Args) => T {
  return (...args) => runAtOnce(work(...args));
}

/**
 * Does the work in steps of a few milliseconds.
 *
 * @param pause is waited for between two steps.
 */
export async function runInSlices<T>(steps: Steps<T>, pause: () => Promise<void>): Promise<T> {
  for (;;) {
    const endMs = performance.now() + STEP_MS;
    let next = steps.next();
    while (!next.done && performance.now() < endMs) next = steps.next();
    if (next.done) return next.value;
    await pause();
  }
}

/** Work that never takes long, as a single step. */
export function inOneStep<Args extends unknown[], T>(
  work: (...args: Args) => T,
): (...args: Args) => Steps<T> {
  return function* (...args) {
    yield;
    return work(...args);
  };
}
