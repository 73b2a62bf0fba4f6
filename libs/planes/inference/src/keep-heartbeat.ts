import {
  type HoldOwner,
  MAX_RENEWALS_PER_MESSAGE,
  RENEWED_HOLD_SECONDS,
  type WalletPort,
} from '@mg/contract';
import type { HeldCalls } from './call/held-calls.js';

const EVERY_MS = 5_000;
const RETRY_MS = 500;
/** Heartbeats that may be missed before the plane says that it is cut off from billing. */
const SILENT_AFTER_MS = 12_000;
/** Billing takes a process that is silent for a minute for dead: well before that, it begins no call any more. */
const ENDED_AFTER_MS = 50_000;

/**
 * Sends billing the heartbeat of this process, so that its holds are its own, that an earlier epoch of it is over, and which of its
 * calls last longer than their holds. Whether billing answers is also whether calls can be paid for.
 */
export class Heartbeat {
  readonly #wallet: Pick<WalletPort, 'heartbeat' | 'renewHolds'>;
  readonly #owner: HoldOwner;
  readonly #calls: HeldCalls;
  #startedMs = performance.now();
  #answeredMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #closed = false;

  constructor(wallet: Pick<WalletPort, 'heartbeat' | 'renewHolds'>, owner: HoldOwner, calls: HeldCalls) {
    this.#wallet = wallet;
    this.#owner = owner;
    this.#calls = calls;
  }

  /** Whether billing has answered lately. */
  get alive(): boolean {
    return this.#answeredMs !== undefined && performance.now() - this.#answeredMs < SILENT_AFTER_MS;
  }

  /**
   * Whether billing may have taken this process for dead, by the monotonic clock. What it holds may have been given away
   * then: its heartbeats have to arrive again before it begins a call.
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
      await this.#renewHolds();
    } catch {
      nextMs = RETRY_MS;
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, nextMs);
  }

  /** A request of its own: billing of an earlier version refuses it, which must not look as if it were away. */
  async #renewHolds(): Promise<void> {
    const due = this.#calls.listDue(MAX_RENEWALS_PER_MESSAGE);
    if (due.length === 0) return;
    const askedMs = performance.now();
    const renewed = await this.#wallet.renewHolds(this.#owner, due).catch(() => []);
    this.#calls.noteRenewed(renewed, askedMs, RENEWED_HOLD_SECONDS);
  }
}
