import type { HoldOwner, WalletPort } from '@mg/contract';

const EVERY_MS = 5_000;
const RETRY_MS = 500;
/** Heartbeats that may be missed before the plane says that it is cut off from billing. */
const SILENT_AFTER_MS = 12_000;
/** Billing takes a process that is silent for a minute for dead: well before that, it begins no call any more. */
const ENDED_AFTER_MS = 50_000;

/**
 * Tells billing that this process lives, so that its holds are its own, and that an earlier life of it is over.
 * Whether billing answers is also whether calls can be paid for.
 */
export class Heartbeat {
  readonly #wallet: WalletPort;
  readonly #owner: HoldOwner;
  #startedMs = performance.now();
  #answeredMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #closed = false;

  constructor(wallet: WalletPort, owner: HoldOwner) {
    this.#wallet = wallet;
    this.#owner = owner;
  }

  /** Whether billing has answered lately. */
  get alive(): boolean {
    return this.#answeredMs !== undefined && performance.now() - this.#answeredMs < SILENT_AFTER_MS;
  }

  /**
   * Whether billing may have taken this process for dead, by the monotonic clock. What it holds may have been given away
   * then: it has to be heard again before it begins a call.
   */
  get isCutOff(): boolean {
    return performance.now() - (this.#answeredMs ?? this.#startedMs) > ENDED_AFTER_MS;
  }

  start(): void {
    this.#startedMs = performance.now();
    this.#beating = this.#beat();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#beating;
  }

  async #beat(): Promise<void> {
    let nextMs = EVERY_MS;
    try {
      const askedMs = performance.now();
      await this.#wallet.heartbeat(this.#owner);
      // Billing wrote it down after it was asked: what is counted from here ends no later than what billing counts.
      this.#answeredMs = askedMs;
    } catch {
      nextMs = RETRY_MS;
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, nextMs);
  }
}
