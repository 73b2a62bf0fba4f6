/** Checks that are further apart than this leave a gap in which it is not known whether heartbeats could arrive. */
const MAX_GAP_MS = 15_000;

/**
 * For how long this process has been able to hear heartbeats and to write them down. Only then does the silence of another
 * process say anything: after an outage of ours, or a freeze of this process, everybody looks silent.
 */
export class ListeningSpan {
  #sinceMs: number | undefined;
  #lastMs = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Notes whether heartbeats can arrive at this moment. Has to be called every few seconds. */
  note(canHear: boolean): void {
    const nowMs = this.now();
    const isGap = nowMs - this.#lastMs > MAX_GAP_MS;
    this.#lastMs = nowMs;
    if (!canHear) this.#sinceMs = undefined;
    else if (this.#sinceMs === undefined || isGap) this.#sinceMs = nowMs;
  }

  /** Milliseconds without a gap; 0 when nothing can arrive. */
  get ms(): number {
    return this.#sinceMs === undefined ? 0 : this.now() - this.#sinceMs;
  }
}
