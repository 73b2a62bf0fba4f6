import { setTimeout as sleep } from 'node:timers/promises';
import {
  GatewayError,
  type HoldMessage,
  type HoldOpenMessage,
  type HoldOpenReply,
  type HoldOutcome,
  type HoldReply,
  type HoldRequest,
  LEASE_TTL_MS,
  MAX_HOLDS_PER_MESSAGE,
} from '@mg/contract';
import { isLeased, readHoldReply, toHoldMessage } from './hold-message.js';

/** Messages in progress at once. While they are, further holds gather: the busier the gateway, the more share a message and a commit. */
const MAX_IN_FLIGHT = 2;
/**
 * A hold whose wallet is locked is asked for again at this pace, by its same id, for so long all in all. One that only
 * leases keep from being granted is asked for until any lease that there was is over.
 */
const BUSY_PAUSE_MS = 100;
const BUSY_FOR_MS = 1_800;

interface Waiting {
  readonly message: HoldMessage;
  readonly askedMs: number;
  readonly resolve: (outcome: HoldOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Lets holds that are asked for within one turn of the event loop, or while earlier ones are in progress, travel in one message. */
export class HoldBatcher {
  #waiting: Waiting[] = [];
  #inFlight = 0;

  constructor(private readonly send: (message: HoldOpenMessage) => Promise<HoldOpenReply>) {}

  open(request: HoldRequest): Promise<HoldOutcome> {
    return new Promise((resolve, reject) => {
      this.#add({ message: toHoldMessage(request), askedMs: performance.now(), resolve, reject });
    });
  }

  #add(waiting: Waiting): void {
    if (this.#waiting.push(waiting) === 1) setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    while (this.#waiting.length > 0 && this.#inFlight < MAX_IN_FLIGHT) {
      void this.#deliver(this.#waiting.splice(0, MAX_HOLDS_PER_MESSAGE));
    }
  };

  async #deliver(batch: readonly Waiting[]): Promise<void> {
    this.#inFlight++;
    try {
      const { outcomes } = await this.send({ holds: batch.map((waiting) => waiting.message) });
      for (const [index, waiting] of batch.entries()) this.#settle(waiting, outcomes[index]);
    } catch (error) {
      const isAway = error instanceof GatewayError && error.code === 'service_unavailable';
      // Those who wait behind would find billing just as far away, only later.
      for (const waiting of isAway ? [...batch, ...this.#waiting.splice(0)] : batch) waiting.reject(error);
    } finally {
      this.#inFlight--;
      this.#flush();
    }
  }

  #settle(waiting: Waiting, reply: HoldReply | undefined): void {
    if (performance.now() - waiting.askedMs + BUSY_PAUSE_MS < findRetryMs(reply)) {
      void sleep(BUSY_PAUSE_MS).then(() => this.#add(waiting));
      return;
    }
    try {
      waiting.resolve(readHoldReply(reply));
    } catch (error) {
      waiting.reject(error);
    }
  }
}

/** For how long a hold that is answered like this is asked for again, in milliseconds. */
function findRetryMs(reply: HoldReply | undefined): number {
  if (reply === undefined) return 0;
  if ('failed' in reply && reply.busy === true) return BUSY_FOR_MS;
  return isLeased(reply) ? LEASE_TTL_MS : 0;
}
