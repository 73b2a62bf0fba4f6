import type { CallLease, NanoUsd } from '@mg/contract';

/** A lease as billing granted it. */
export interface GrantedLease {
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  readonly amount: NanoUsd;
  /** Moment of the monotonic clock from which on no call is admitted. */
  readonly admitUntilMs: number;
}

/**
 * What this process knows of one of its leases. Billing keeps at least as much for it: `left` is never more than what billing
 * holds for the lease and no call here counts on.
 */
export class LeaseSlice {
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  readonly #amount: NanoUsd;
  #admitUntilMs: number;
  #consumed = 0n;
  #inFlight = 0n;
  #calls = 0;
  /** Whether billing knows that no call is admitted any more. */
  isShrunk = false;

  constructor({ id, walletId, tokenId, amount, admitUntilMs }: GrantedLease) {
    this.id = id;
    this.walletId = walletId;
    this.tokenId = tokenId;
    this.#amount = amount;
    this.#admitUntilMs = admitUntilMs;
  }

  /** What calls may still be admitted for. Below 0 it never is. */
  get left(): NanoUsd {
    return this.#amount - this.#consumed - this.#inFlight;
  }

  /** What billing has to keep: what calls have consumed, posted or not, and the worst cases of those in progress. */
  get kept(): NanoUsd {
    return this.#consumed + this.#inFlight;
  }

  /** Calls in flight. */
  get calls(): number {
    return this.#calls;
  }

  get admitUntilMs(): number {
    return this.#admitUntilMs;
  }

  /** Begins a call, or answers `undefined` where the slice does not cover its worst case or its time is over. */
  admit(worst: NanoUsd, nowMs: number): LeasedCall | undefined {
    if (nowMs >= this.#admitUntilMs || this.left < worst) return undefined;
    this.#inFlight += worst;
    this.#calls++;
    return new LeasedCall(this, worst, nowMs);
  }

  /** Admits no call any more. */
  retire(): void {
    this.#admitUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** A call is over. */
  end(worst: NanoUsd, consumed: NanoUsd): void {
    this.#inFlight -= worst;
    this.#consumed += consumed;
    this.#calls--;
  }
}

/** A call that was admitted from a slice. It ends once, whoever ends it first. */
export class LeasedCall {
  #isCheckpointed = false;
  #isOver = false;

  constructor(
    private readonly slice: LeaseSlice,
    readonly worst: NanoUsd,
    /** Moment of the monotonic clock. */
    readonly admittedMs: number,
  ) {}

  /** What its rows in the journal say. */
  get lease(): CallLease {
    return { id: this.slice.id, worst: this.worst };
  }

  /** Whether it has a hold of its own, which took the whole worst case from the lease. */
  get isCheckpointed(): boolean {
    return this.#isCheckpointed;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  noteCheckpoint(): void {
    this.#isCheckpointed = true;
  }

  /** The call is charged: no more than its worst case comes out of the lease, and the rest out of the balance. */
  settle(cost: NanoUsd): void {
    this.#end(cost < this.worst ? cost : this.worst);
  }

  /** The call costs nothing. */
  release(): void {
    this.#end(0n);
  }

  #end(cost: NanoUsd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.slice.end(this.worst, this.#isCheckpointed ? this.worst : cost);
  }
}
