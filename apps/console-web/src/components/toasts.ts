/** What is told beside the page, whatever view is open then. */
export interface ToastText {
  readonly id: number;
  /** What was done; goes by itself. */
  readonly done?: string;
  /** What failed; stays until it is closed. */
  readonly error?: unknown;
}

/** As many as fit beside a view; the oldest goes first. */
const MOST_SHOWN = 3;

const listeners = new Set<() => void>();
let shown: readonly ToastText[] = [];
let lastId = 0;

/** Tells what became of an action that has no place of its own to say so. */
export const toasts = {
  get shown(): readonly ToastText[] {
    return shown;
  },

  tellDone(done: string): void {
    show({ done });
  },

  tellFailed(error: unknown): void {
    show({ error });
  },

  close(id: number): void {
    replace(shown.filter((toast) => toast.id !== id));
  },

  /** @returns how to stop listening. */
  watch(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function show(toast: Omit<ToastText, 'id'>): void {
  lastId += 1;
  replace([...shown, { ...toast, id: lastId }].slice(-MOST_SHOWN));
}

function replace(next: readonly ToastText[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
