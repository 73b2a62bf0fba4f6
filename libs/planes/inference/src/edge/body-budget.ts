import { GatewayError } from '@mg/contract';
import { WorkTurns, LARGE_ANSWER_BYTES } from './work-turns.js';

/** For settlements of lines, of which the largest take a third of this each. */
export const SETTLEMENT_BYTES = 64 * 1024 * 1024;
/** Share of the whole that the bodies of one API key may hold, so that one caller cannot shut out the others. */
const SHARE_OF_ONE_KEY = 0.5;
const RETRY_AFTER_SECONDS = 1;

/**
 * Room for bodies of all kinds, for the whole gateway: of memory, or of the disk that large files are spooled to. A body
 * counts from its first byte to the end of its call, because a call that goes on to another channel needs it again.
 * Whoever comes when there is no room is sent away, so that nobody waits while holding half a body.
 */
export class BodyBudget {
  readonly answerTurns = new WorkTurns();
  readonly #maxBytes: number;
  readonly #heldByKey = new Map<string, number>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Opens the account of one call. @param tokenId the caller's API key. */
  open(tokenId: string): BodyLease {
    return new BodyLease(this, tokenId);
  }

  /**
   * @throws GatewayError `rate_limited` when the key holds its share, `service_unavailable` when the gateway holds all it can.
   */
  take(tokenId: string, bytes: number): void {
    const ofKey = (this.#heldByKey.get(tokenId) ?? 0) + bytes;
    if (ofKey > this.#maxBytes * SHARE_OF_ONE_KEY) {
      throw new GatewayError('rate_limited', 'This API key has too many large requests in flight.', {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
    if (this.#heldBytes + bytes > this.#maxBytes) {
      throw new GatewayError('service_unavailable', 'The gateway has too many large requests in flight.', {
        retryAfter: RETRY_AFTER_SECONDS,
      });
    }
    this.#heldBytes += bytes;
    this.#heldByKey.set(tokenId, ofKey);
  }

  giveBack(tokenId: string, bytes: number): void {
    this.#heldBytes -= bytes;
    const ofKey = (this.#heldByKey.get(tokenId) ?? 0) - bytes;
    if (ofKey > 0) this.#heldByKey.set(tokenId, ofKey);
    else this.#heldByKey.delete(tokenId);
  }
}

/** What one call holds of a budget. */
export class BodyLease {
  readonly #budget: BodyBudget;
  readonly #onRelease: (() => void)[] = [];
  #bytes = 0;
  #released = false;
  #turn: Promise<() => void> | undefined;

  constructor(
    budget: BodyBudget,
    readonly tokenId: string,
  ) {
    this.#budget = budget;
  }

  /** @throws GatewayError when there is no room; see `BodyBudget.take`. */
  take(bytes: number): void {
    if (this.#released) return;
    this.#budget.take(this.tokenId, bytes);
    this.#bytes += bytes;
  }

  /** @returns whether there was room. */
  tryTake(bytes: number): boolean {
    try {
      this.take(bytes);
      return true;
    } catch (error) {
      if (error instanceof GatewayError) return false;
      throw error;
    }
  }

  /** Gives back what the call needs no longer while it goes on. */
  giveBack(bytes: number): void {
    if (this.#released) return;
    this.#budget.giveBack(this.tokenId, bytes);
    this.#bytes -= bytes;
  }

  /**
   * What is to be waited for before an answer of so many bytes is parsed: nothing, where it is not large. The turn lasts until
   * `endAnswerTurn`, or until everything is given back.
   */
  waitForAnswerTurn(bytes: number): Promise<unknown> | undefined {
    if (bytes < LARGE_ANSWER_BYTES || this.#released) return undefined;
    this.#turn ??= this.#budget.answerTurns.take();
    return this.#turn;
  }

  /** May be called more than once. */
  endAnswerTurn(): void {
    void this.#turn?.then((end) => end());
    this.#turn = undefined;
  }

  /** Calls back when everything is given back; at once when that has happened. */
  onRelease(callback: () => void): void {
    if (this.#released) callback();
    else this.#onRelease.push(callback);
  }

  /** Gives everything back; may be called more than once. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.endAnswerTurn();
    if (this.#bytes > 0) this.#budget.giveBack(this.tokenId, this.#bytes);
    for (const callback of this.#onRelease) callback();
  }
}
