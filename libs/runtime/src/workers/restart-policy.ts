/** Ends within this time count together. */
const WINDOW_MS = 120_000;
const MAX_ENDS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * When workers that ended by themselves are replaced: at once the first time, later each time they end again within two
 * minutes, and not any more after the tenth: whoever started this process has to see that it does not work.
 */
export class RestartPolicy {
  #endsMs: number[] = [];

  /** @param now the monotonic clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes that a worker has ended. @returns milliseconds until it is replaced; `undefined` to give up. */
  noteEnd(): number | undefined {
    const nowMs = this.now();
    this.#endsMs = [...this.#endsMs.filter((endMs) => nowMs - endMs < WINDOW_MS), nowMs];
    const count = this.#endsMs.length;
    if (count >= MAX_ENDS) return undefined;
    return Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), LONGEST_PAUSE_MS);
  }
}
