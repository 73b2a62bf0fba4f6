import { GatewayError } from '@mg/contract';

/** Half of the connections that a gateway opens to one upstream at most. */
const MOST_OF_KEY = 2_048;
const RETRY_AFTER_SECONDS = 1;

/** Calls in flight in this gateway by API key, so that one key cannot take its connections from all others. */
export class CallsInFlight {
  readonly #ofKey = new Map<string, number>();

  constructor(private readonly mostOfKey = MOST_OF_KEY) {}

  /** Counts a call, which `end` has to be called for in any case. @throws GatewayError `rate_limited` for one too many. */
  begin(tokenId: string): void {
    const calls = (this.#ofKey.get(tokenId) ?? 0) + 1;
    this.#ofKey.set(tokenId, calls);
    if (calls <= this.mostOfKey) return;
    throw new GatewayError('rate_limited', `This API key has ${this.mostOfKey} calls in flight.`, {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }

  end(tokenId: string): void {
    const calls = (this.#ofKey.get(tokenId) ?? 1) - 1;
    if (calls > 0) this.#ofKey.set(tokenId, calls);
    else this.#ofKey.delete(tokenId);
  }
}
