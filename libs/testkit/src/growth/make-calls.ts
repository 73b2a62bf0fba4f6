import type { Payer } from '../money/seed-payer.js';

export const DAY_MS = 86_400_000;
/** Payers that take turns. */
export const PAYERS = 50;
/** Models that each of them uses. */
export const MODELS_OF_PAYER = 3;
/** Latency and time to first token of a seeded call are below this, in milliseconds. */
export const LONGEST_MS = 900;

const MODELS = 20;
const CHANNELS = 5;

/** A call from which the rows of all tables are made: every fiftieth failed, every hundredth is a video. */
export class MadeCall {
  /** Below {@link LONGEST_MS}. */
  readonly latencyMs: number;
  readonly ttftMs: number;
  readonly isFailed: boolean;
  readonly isVideo: boolean;

  /** @param place of the payer among the payers; @param turn which of the payer's models is used. */
  constructor(
    private readonly n: number,
    private readonly atMs: number,
    readonly place: number,
    readonly turn: number,
    readonly payer: Payer,
  ) {
    this.latencyMs = (n * 7) % LONGEST_MS;
    this.ttftMs = n % 90;
    this.isFailed = n % 50 === 0;
    this.isVideo = n % 100 === 7;
  }

  /** A UUID of version 7 with the number of the call in it. */
  get id(): string {
    const time = this.atMs.toString(16).padStart(12, '0');
    const order = (this.n % 4096).toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${order}-8000-${this.n.toString(16).padStart(12, '0')}`;
  }

  /** ISO 8601. */
  get at(): string {
    return new Date(this.atMs).toISOString();
  }

  get model(): string {
    return nameModel(this.place, this.turn);
  }

  get channel(): string {
    return nameChannel(this.place, this.turn);
  }

  /** Nano-dollars. */
  get charge(): bigint {
    return this.isFailed ? 0n : BigInt(1000 + (this.n % 1000));
  }

  get isStream(): boolean {
    return this.n % 2 === 0;
  }
}

/**
 * Calls that are spread evenly over a time, each the same whenever it is made: payers take turns, each uses three of twenty
 * models.
 */
export class CallSource {
  readonly #msBetween: number;

  /** @param untilMs the end of the time in milliseconds since 1970, at which the last call is over. */
  constructor(
    private readonly payers: readonly Payer[],
    readonly calls: number,
    readonly fromMs: number,
    readonly untilMs: number,
  ) {
    this.#msBetween = (untilMs - fromMs) / calls;
  }

  /** The calls from a moment on and before another, oldest first. */
  *between(fromMs: number, untilMs: number): Iterable<MadeCall> {
    const last = Math.min(this.calls, this.#countBefore(untilMs));
    for (let n = Math.max(0, this.#countBefore(fromMs)); n < last; n += 1) yield this.#make(n);
  }

  all(): Iterable<MadeCall> {
    return this.between(this.fromMs, this.untilMs);
  }

  #countBefore(moment: number): number {
    return Math.ceil((moment - this.fromMs) / this.#msBetween);
  }

  #make(n: number): MadeCall {
    const place = (n * (n % PAYERS)) % PAYERS;
    const payer = this.payers[place];
    if (payer === undefined) throw new Error(`there are not ${PAYERS} payers`);
    const atMs = Math.floor(this.fromMs + n * this.#msBetween);
    return new MadeCall(n, atMs, place, n % MODELS_OF_PAYER, payer);
  }
}

export function nameModel(place: number, turn: number): string {
  return `model-${(place * MODELS_OF_PAYER + turn) % MODELS}`;
}

export function nameChannel(place: number, turn: number): string {
  return `channel-${(place * MODELS_OF_PAYER + turn) % CHANNELS}`;
}
