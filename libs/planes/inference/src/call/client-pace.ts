import type { Fault } from './classify-failure.js';

/** An upstream that had to wait for so long, in milliseconds, may give up for its client's sake. */
const SLOW_MS = 5_000;

/** For how long in all an upstream had to wait until the client took what it had sent. */
export class ClientPace {
  #waitedMs = 0;
  #fullSinceMs: number | undefined;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  noteFull(): void {
    this.#fullSinceMs ??= this.nowMs();
  }

  noteDrained(): void {
    this.#waitedMs = this.#countMs();
    this.#fullSinceMs = undefined;
  }

  /** What it says that the upstream broke off: nothing of the channel, where it may be the client's doing. */
  judge(fault: Fault): Fault {
    return this.#countMs() >= SLOW_MS ? { ...fault, kind: undefined } : fault;
  }

  #countMs(): number {
    const waitsMs = this.#fullSinceMs === undefined ? 0 : this.nowMs() - this.#fullSinceMs;
    return this.#waitedMs + waitsMs;
  }
}
