/** Retries that each call allows. */
const SHARE = 0.1;
/** Retries a second that are always allowed, so that a quiet gateway fails over too. */
const ALWAYS_PER_SECOND = 10;
/** Seconds of them that may gather. */
const MAX_BURST_SECONDS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Keeps retries to a share of the calls: when many channels fail at once, to ask each call's channels one after another would
 * multiply the load on those that are left.
 */
export class RetryBudget {
  readonly #nowMs: () => number;
  #tokens = ALWAYS_PER_SECOND * MAX_BURST_SECONDS;
  #filledAtMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#filledAtMs = nowMs();
  }

  /** A call begins. */
  noteCall(): void {
    this.#tokens += SHARE;
  }

  /** Takes a retry off the budget; `false` when none is left. */
  take(): boolean {
    const nowMs = this.#nowMs();
    const fresh = ((nowMs - this.#filledAtMs) / 1_000) * ALWAYS_PER_SECOND;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#tokens + fresh, ALWAYS_PER_SECOND * MAX_BURST_SECONDS);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/**
 * How long to wait before a retry, in milliseconds: at random up to a limit that doubles ("full jitter"), so that calls that
 * failed together do not come back together.
 *
 * @param retry 1 for the first one of a call.
 * @param random uniform in [0, 1).
 */
export function pauseBeforeRetry(retry: number, random: number): number {
  return random * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (retry - 1));
}
