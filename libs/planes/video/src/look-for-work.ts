import { repeatEvery, type Repetition } from '@mg/runtime';

const LOOK_EVERY_MS = 1_000;
/** After a look that found nothing: most workers have nothing to do for most of the time. */
const QUIET_EVERY_MS = 3_000;

/**
 * Looks for work again and again: every second while there is some, every three seconds while there is none.
 *
 * @param look does what it finds, and answers whether there was any.
 */
export function lookForWork(look: () => Promise<boolean>, failed: (error: unknown) => void): Repetition {
  let isQuiet = false;
  return repeatEvery(
    () => (isQuiet ? QUIET_EVERY_MS : LOOK_EVERY_MS),
    async () => {
      isQuiet = !(await look());
    },
    failed,
  );
}
