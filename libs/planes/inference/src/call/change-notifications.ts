/** Somebody who waits for a change of one thing. */
export interface ChangeWatch {
  /** Resolves at the next change, at once where one came since the last time, or when the time is over. */
  waitForChange(withinMs: number): Promise<void>;
  stop(): void;
}

interface Waiter {
  changed: boolean;
  wake: () => void;
}

/** Notifies those who wait for something that it has changed. What it is now, they read themselves. */
export class ChangeNotifications {
  readonly #waiters = new Map<string, Set<Waiter>>();

  watch(id: string): ChangeWatch {
    const waiter: Waiter = { changed: false, wake: () => undefined };
    const waiters = this.#waiters.get(id) ?? new Set();
    this.#waiters.set(id, waiters.add(waiter));
    return {
      waitForChange: (withinMs) => wait(waiter, withinMs),
      stop: () => {
        waiters.delete(waiter);
        if (waiters.size === 0) this.#waiters.delete(id);
      },
    };
  }

  notify(id: string): void {
    for (const waiter of this.#waiters.get(id) ?? []) {
      waiter.changed = true;
      waiter.wake();
    }
  }

  /** Anything may have changed while nobody listened. */
  notifyAll(): void {
    for (const id of this.#waiters.keys()) this.notify(id);
  }
}

async function wait(waiter: Waiter, withinMs: number): Promise<void> {
  if (!waiter.changed) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      waiter.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  waiter.changed = false;
}
