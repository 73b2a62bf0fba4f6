/** Answers from this size on are read, converted and measured in turns; smaller ones cost less than waiting does. */
export const LARGE_ANSWER_BYTES = 4 * 1024 * 1024;
const AT_A_TIME = 2;

/**
 * Limits how many large answers are parsed and converted at a time. Each needs several times its size in memory meanwhile,
 * and the garbage collector stops the event loop for longer the more such memory there is.
 */
export class AnswerTurns {
  #free = AT_A_TIME;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a turn, in order of arrival. @returns what ends the turn; it is called exactly once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
