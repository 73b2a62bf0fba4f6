const SHORTEST_MS = 15;
const SPREAD_MS = 16;

/** Pauses between the parts of a stream as a model makes them: 15 to 30 ms, deterministic, over at once when the signal aborts. */
export class Pace {
  private wake: (() => void) | undefined;
  private step = 0;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.stop, { once: true });
  }

  /** Waits for the next part's moment. Answers whether anyone still listens. */
  async next(): Promise<boolean> {
    if (this.signal.aborted) return false;
    this.step += 1;
    const pauseMs = SHORTEST_MS + ((this.step * 7) % SPREAD_MS);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return !this.signal.aborted;
  }

  end(): void {
    this.signal.removeEventListener('abort', this.stop);
  }

  private readonly stop = (): void => this.wake?.();
}
