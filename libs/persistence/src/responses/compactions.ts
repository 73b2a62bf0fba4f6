import { openSecret, SecretError, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/**
 * Summaries of conversations, which their clients keep and send back: encrypted, and readable with the wallet alone that they
 * were made for.
 */
export class Compactions {
  constructor(private readonly key: SecretKey) {}

  seal(walletId: string, summary: string): string {
    return sealSecret(summary, toPlace(walletId), this.key);
  }

  /** `undefined` for what was sealed for another wallet or with a key that is gone, and for what was altered. */
  open(walletId: string, sealed: string): string | undefined {
    try {
      return openSecret(sealed, toPlace(walletId), this.key);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}

function toPlace(walletId: string): string {
  return `compaction ${walletId}`;
}
