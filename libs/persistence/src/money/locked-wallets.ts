/** As long as one wait for a locked wallet lasts. */
const REMEMBER_MS = 400;

/**
 * Wallets whose lock could just not be had. They are not waited for again for a moment, so that one locked wallet cannot
 * keep every connection busy with waiting.
 */
export class LockedWallets {
  readonly #until = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  note(walletId: string): void {
    for (const [id, untilMs] of this.#until) if (untilMs <= this.now()) this.#until.delete(id);
    this.#until.set(walletId, this.now() + REMEMBER_MS);
  }

  has(walletId: string): boolean {
    return (this.#until.get(walletId) ?? 0) > this.now();
  }
}
