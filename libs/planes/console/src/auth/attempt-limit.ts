/** How many attempts a key has within a window. */
interface AttemptRule {
  readonly attempts: number;
  readonly windowMs: number;
}

const MOST_KEYS = 20_000;

/**
 * Counts attempts by key within fixed windows, in this process. An attempt is counted before its outcome is known, so
 * that parallel ones cannot slip through together; a success gives its own back.
 */
export class AttemptLimit {
  readonly #windows = new Map<string, { count: number; endsAt: number }>();

  constructor(
    private readonly rule: AttemptRule,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts an attempt. Answers the seconds to wait when the key has no attempt left, otherwise `undefined`. */
  count(key: string): number | undefined {
    const now = this.now();
    let window = this.#windows.get(key);
    if (!window || window.endsAt <= now) {
      this.#windows.delete(key);
      this.#makeRoom(now);
      window = { count: 0, endsAt: now + this.rule.windowMs };
      this.#windows.set(key, window);
    }
    if (window.count >= this.rule.attempts) return Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
    window.count += 1;
    return undefined;
  }

  /** Takes back an attempt that succeeded. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window && window.count > 0) window.count -= 1;
  }

  /** Windows are equally long, so that the first in the map is the first to end. */
  #makeRoom(now: number): void {
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now && this.#windows.size < MOST_KEYS) return;
      this.#windows.delete(key);
    }
  }
}
