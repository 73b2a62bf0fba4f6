/**
 * How many statements of this process may be at one wallet: one works, and one waits for its lock. Further ones would only wait
 * too, each on a connection that other wallets need.
 */
const STATEMENTS_AT_ONCE = 2;

interface Turns {
  running: number;
  /** In their order. Each is given its turn once. */
  readonly waiting: Set<() => void>;
}

/** Lets only so many statements of this process run at one wallet; the others wait for their turn, in order, without a connection. */
export class WalletTurns {
  readonly #turns = new Map<string, Turns>();

  /**
   * @param untilMs moment of `performance.now()` until which it may wait for its turn.
   * @returns `undefined` where its turn did not come by then: the statement was not run.
   */
  async run<Result>(
    walletId: string,
    statement: () => Promise<Result>,
    untilMs: number,
  ): Promise<Result | undefined> {
    const turns = this.#turns.get(walletId) ?? { running: 0, waiting: new Set() };
    this.#turns.set(walletId, turns);
    // Who ends hands its turn on, so that nobody who comes in between takes it.
    if (turns.running < STATEMENTS_AT_ONCE) turns.running++;
    else if (!(await waitIn(turns.waiting, untilMs))) return undefined;
    try {
      return await statement();
    } finally {
      const [next] = turns.waiting;
      if (next) next();
      else if (--turns.running === 0) this.#turns.delete(walletId);
    }
  }
}

/** @returns whether the turn came in time. */
function waitIn(waiting: Set<() => void>, untilMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasTurn: boolean) => {
      clearTimeout(late);
      waiting.delete(begin);
      resolve(hasTurn);
    };
    const begin = () => end(true);
    const late = setTimeout(() => end(false), untilMs - performance.now());
    waiting.add(begin);
  });
}
