/**
 * How many statements of this process may be at one wallet: one works, and one waits for its lock. Further ones would only wait
 * too, each on a connection that other wallets need.
 */
const STATEMENTS_AT_ONCE = 2;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets only so many statements of this process run at one wallet; the others wait for their turn, in order, without a connection. */
export class WalletTurns {
  readonly #turns = new Map<string, Turns>();

  async run<Result>(walletId: string, statement: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(walletId) ?? { running: 0, waiting: [] };
    this.#turns.set(walletId, turns);
    // Who ends hands its turn on, so that nobody who comes in between takes it.
    if (turns.running < STATEMENTS_AT_ONCE) turns.running++;
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    try {
      return await statement();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else if (--turns.running === 0) this.#turns.delete(walletId);
    }
  }
}
