/** A wallet's sum is looked at each time that a process has stored so much of it. */
const TRIM_EVERY_BYTES = 8 * 1024 * 1024;
/** Wallets that are counted; whoever is forgotten is looked at anew. */
const MAX_WALLETS = 10_000;

/** Says when it is time to look at how much is stored of a wallet: at the first time, and whenever much was added. */
export class WalletRoom {
  /** Bytes that this process has stored of a wallet since its sum was looked at. */
  readonly #unchecked = new Map<string, number>();

  constructor(private readonly maxBytes: number) {}

  /** @returns whether the wallet's sum is to be looked at now. */
  add(walletId: string, bytes: number): boolean {
    const unchecked = (this.#unchecked.get(walletId) ?? TRIM_EVERY_BYTES) + bytes;
    const isDue = unchecked > Math.min(TRIM_EVERY_BYTES, this.maxBytes);
    if (this.#unchecked.size >= MAX_WALLETS) this.#unchecked.clear();
    this.#unchecked.set(walletId, isDue ? 0 : unchecked);
    return isDue;
  }
}
