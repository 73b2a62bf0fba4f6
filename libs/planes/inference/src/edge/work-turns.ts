/** Answers from this size on are read, converted and measured in turns; smaller ones cost less than waiting does. */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A turn ends by itself then, and all who wait go on at once. It lasts until an answer has been kept or a conversation read, and a
 * database that does not answer, or an upstream that is asked once more, is not to hold up all others for longer than this.
 */
const LONGEST_TURN_MS = 10_000;

/**
 * Has heavy work done one at a time: large answers are parsed, converted and kept so, and large conversations are read so. Each
 * needs several times its size in memory meanwhile, and the garbage collector stops the event loop for longer, and more often, the
 * more such memory there is.
 */
export class WorkTurns {
  /** Turns that have not ended: one, but for those that began since another one took too long. */
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a turn, in order of arrival. @returns what ends the turn; it may be called more than once. */
  async take(): Promise<() => void> {
    if (this.#taken > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken = 1;
    let hasEnded = false;
    const end = (begin: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      this.#taken--;
      begin();
    };
    const timer = setTimeout(() => end(() => this.#begin(this.#waiting.length)), LONGEST_TURN_MS).unref();
    return () => end(() => this.#begin(this.#taken === 0 ? 1 : 0));
  }

  /** Begins the turns of as many as have waited longest. */
  #begin(count: number): void {
    const next = this.#waiting.splice(0, count);
    this.#taken += next.length;
    for (const go of next) go();
  }
}
