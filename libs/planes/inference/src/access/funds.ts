import { type CallerToken, GatewayError } from '@mg/contract';
import type { Balance } from '@mg/persistence/gateway';
import { limitEntries } from '@mg/runtime';
import { LRUCache } from 'lru-cache';

const MAX_TOKENS = 10_000;
/** Calls that cost nothing do not need to know sooner that a wallet ran empty. */
const FUNDED_TTL_MS = 5_000;
/** Whoever has topped up a wallet goes on at once. */
const EMPTY_TTL_MS = 1_000;

/** Turns callers without money away from free calls that cost us something, such as counts of tokens. */
export class Funds {
  readonly #readBalance: (caller: CallerToken) => Promise<Balance | undefined>;
  readonly #funded = new LRUCache<string, Promise<boolean>>({
    ...limitEntries(MAX_TOKENS),
    ttl: FUNDED_TTL_MS,
  });

  constructor(readBalance: (caller: CallerToken) => Promise<Balance | undefined>) {
    this.#readBalance = readBalance;
  }

  /**
   * @throws GatewayError `insufficient_balance` when the wallet holds nothing and has no credit; `service_unavailable` when it cannot be
   *   read.
   */
  async need(caller: CallerToken): Promise<void> {
    if (await this.#isFunded(caller)) return;
    throw new GatewayError('insufficient_balance', 'The wallet of this API key is empty.');
  }

  /** One question to the database for each key and stretch of time, however many ask at once. */
  #isFunded(caller: CallerToken): Promise<boolean> {
    const known = this.#funded.get(caller.id);
    if (known) return known;
    const asked = this.#ask(caller);
    this.#funded.set(caller.id, asked);
    return asked;
  }

  async #ask(caller: CallerToken): Promise<boolean> {
    try {
      const balance = await this.#readBalance(caller);
      const isFunded = balance !== undefined && balance.balance + balance.creditLimit > 0n;
      if (!isFunded) this.#funded.set(caller.id, Promise.resolve(false), { ttl: EMPTY_TTL_MS });
      return isFunded;
    } catch (error) {
      this.#funded.delete(caller.id);
      throw new GatewayError('service_unavailable', 'The wallet cannot be read at the moment.', {
        retryAfter: 1,
        cause: error,
      });
    }
  }
}
