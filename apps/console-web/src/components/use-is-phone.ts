import { useSyncExternalStore } from 'react';

/** What `max-sm` stands for in classes. */
const PHONE = matchMedia('(width < 40rem)');

/** Whether the screen is as narrow as a phone's. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      PHONE.addEventListener('change', listener);
      return () => PHONE.removeEventListener('change', listener);
    },
    () => PHONE.matches,
  );
}
