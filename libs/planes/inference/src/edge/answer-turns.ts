/** Answers from this size on are read, converted and measured in turns; smaller ones cost less than waiting does. */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Has large answers parsed and converted one at a time. Each needs several times its size in memory meanwhile, and the garbage
 * collector stops the event loop for longer, and more often, the more such memory there is.
 */
export class AnswerTurns {
  #isTaken = false;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a turn, in order of arrival. @returns what ends the turn; it is called exactly once. */
  async take(): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#isTaken = true;
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#isTaken = false;
    };
  }
}
