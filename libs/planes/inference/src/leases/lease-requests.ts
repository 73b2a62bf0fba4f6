import {
  type HoldOwner,
  type LeaseOutcome,
  type LeasePort,
  MAX_LEASES_PER_MESSAGE,
  type NanoUsd,
} from '@mg/contract';
import type { PayerDemand } from './payer-demand.js';

/** A lease that is wanted. */
export interface WantedLease {
  readonly id: string;
  readonly demand: PayerDemand;
  readonly wanted: NanoUsd;
  readonly worst: NanoUsd;
}

/** A lease that billing was asked for. */
export interface PendingLeaseRequest extends WantedLease {
  /** Moment of the monotonic clock before it was asked for. */
  readonly askedMs: number;
  readonly ttlSeconds: number;
}

export interface LeaseRequestsOptions {
  readonly port: Pick<LeasePort, 'openLeases'>;
  readonly owner: HoldOwner;
  readonly ttlSeconds: () => number;
  readonly now: () => number;
  readonly onAnswer: (question: PendingLeaseRequest, outcome: LeaseOutcome) => void;
  /** It is not known whether it was granted. */
  readonly onLost: (question: PendingLeaseRequest) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Asks for leases: those that are wanted within one turn of the event loop in one message. */
export class LeaseRequests {
  readonly #options: LeaseRequestsOptions;
  readonly #inFlight = new Set<Promise<void>>();
  #wanted: WantedLease[] = [];

  constructor(options: LeaseRequestsOptions) {
    this.#options = options;
  }

  ask(lease: WantedLease): void {
    if (this.#wanted.push(lease) === 1) setImmediate(() => this.#send());
  }

  /** Resolves when every question asked so far is answered, or lost. */
  async whenAnswered(): Promise<void> {
    this.#send();
    await Promise.all(this.#inFlight);
  }

  #send(): void {
    while (this.#wanted.length > 0) {
      const sent = this.#deliver(this.#wanted.splice(0, MAX_LEASES_PER_MESSAGE)).finally(() =>
        this.#inFlight.delete(sent),
      );
      this.#inFlight.add(sent);
    }
  }

  async #deliver(leases: readonly WantedLease[]): Promise<void> {
    const { port, owner, now, onAnswer, onLost, onFailure } = this.#options;
    const ttlSeconds = this.#options.ttlSeconds();
    const askedMs = now();
    const questions = leases.map((lease) => ({ ...lease, askedMs, ttlSeconds }));
    const requests = questions.map(({ id, demand, wanted, worst }) => {
      const { walletId, tokenId } = demand;
      return { id, walletId, tokenId, wanted, worst, ttlSeconds };
    });
    try {
      const outcomes = await port.openLeases(owner, requests);
      for (const [index, question] of questions.entries()) {
        const outcome = outcomes[index];
        if (outcome) onAnswer(question, outcome);
        else onLost(question);
      }
    } catch (error) {
      onFailure(error);
      for (const question of questions) onLost(question);
    }
  }
}
