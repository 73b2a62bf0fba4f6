import { useSyncExternalStore } from 'react';

let key: string | undefined;
const listeners = new Set<() => void>();

/** The API key that the playground calls with. It lives in this page's memory and is written nowhere. */
export const selectedKey = {
  take(text: string | undefined): void {
    key = text;
    for (const listener of listeners) listener();
  },
};

export function useSelectedKey(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => key,
  );
}
