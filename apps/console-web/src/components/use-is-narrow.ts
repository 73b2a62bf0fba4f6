import { useSyncExternalStore } from 'react';

/** What `max-xl` stands for in classes. */
const NARROW = matchMedia('(width < 80rem)');

/** Whether the screen is so narrow that names in tables may take more than one line. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      NARROW.addEventListener('change', listener);
      return () => NARROW.removeEventListener('change', listener);
    },
    () => NARROW.matches,
  );
}
