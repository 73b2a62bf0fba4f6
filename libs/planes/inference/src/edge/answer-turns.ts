/** Answers from this size on are read, converted and measured in turns; smaller ones cost less than waiting does. */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * A turn ends by itself then. It lasts until the answer has been kept, and a database that does not answer, or an upstream that is
 * asked once more, is not to hold up the large answers of all others.
 */
const LONGEST_TURN_MS = 10_000;

/**
 * Has large answers parsed, converted and kept one at a time. Each needs several times its size in memory meanwhile, and the
 * garbage collector stops the event loop for longer, and more often, the more such memory there is.
 */
export class AnswerTurns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a turn, in order of arrival. @returns what ends the turn; it may be called more than once. */
  async take(): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      this.#passOn();
    };
    const timer = setTimeout(end, LONGEST_TURN_MS).unref();
    return end;
  }

  #passOn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
