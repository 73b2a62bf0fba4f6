import { repeatEvery, type Repetition } from '@mg/runtime';

const LOOK_EVERY_MS = 1_000;
/** After a look that found nothing. The watch wakes who has something to do: this is for what it might not see. */
const UNASKED_EVERY_MS = 60_000;

/**
 * Looks for work every second while there is some, and else when it is woken.
 *
 * @param look does what it finds, and answers whether there was any.
 */
export function lookForWork(look: () => Promise<boolean>, failed: (error: unknown) => void): Repetition {
  let isQuiet = false;
  return repeatEvery(
    () => (isQuiet ? UNASKED_EVERY_MS : LOOK_EVERY_MS),
    async () => {
      isQuiet = !(await look());
    },
    failed,
  );
}
