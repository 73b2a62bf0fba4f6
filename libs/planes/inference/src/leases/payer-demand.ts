import type { NanoUsd } from '@mg/contract';

const SECOND_MS = 1_000;

/** What calls of one payer were worth lately, by their worst cases. */
export interface Demand {
  readonly calls: number;
  readonly sum: NanoUsd;
  readonly largest: NanoUsd;
}

const NOTHING: Demand = { calls: 0, sum: 0n, largest: 0n };

/** The calls of one payer in this second and the one before, and when a lease may be asked for. */
export class PayerDemand {
  #second = 0;
  #now = NOTHING;
  #before = NOTHING;
  /** Whether a question for a lease is in progress. */
  isAsking = false;
  /** No lease is asked for before. */
  nextRequestMs = 0;

  constructor(
    readonly walletId: string,
    readonly tokenId: string,
  ) {}

  note(worst: NanoUsd, nowMs: number): void {
    this.#turn(nowMs);
    const { calls, sum, largest } = this.#now;
    this.#now = { calls: calls + 1, sum: sum + worst, largest: worst > largest ? worst : largest };
  }

  read(nowMs: number): Demand {
    this.#turn(nowMs);
    const [now, before] = [this.#now, this.#before];
    return {
      calls: now.calls + before.calls,
      sum: now.sum + before.sum,
      largest: now.largest > before.largest ? now.largest : before.largest,
    };
  }

  #turn(nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#now : NOTHING;
    this.#now = NOTHING;
    this.#second = second;
  }
}
