import { setTimeout as sleep } from 'node:timers/promises';
import type { MoneyFleet } from './money-fleet.js';

const EVERY_MS = 2_000;

interface Drift {
  readonly what: string;
  readonly id: string;
  readonly expected: string;
  readonly actual: string;
}

export interface WatchedDrift {
  readonly snapshots: number;
  /** Of all differences, whatever their sign, in nano-dollars. */
  readonly sum: bigint;
  readonly faults: readonly string[];
}

/** Holds the ledger against itself every few seconds, while work goes on, and once at the end. */
export class DriftWatch {
  #snapshots = 0;
  #sum = 0n;
  readonly #faults: string[] = [];
  readonly #ending = new AbortController();
  readonly #watching: Promise<void>;

  constructor(private readonly query: MoneyFleet['query']) {
    this.#watching = this.#watch();
  }

  async stop(): Promise<WatchedDrift> {
    this.#ending.abort();
    await this.#watching;
    await this.#look();
    return { snapshots: this.#snapshots, sum: this.#sum, faults: this.#faults };
  }

  async #watch(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      await this.#look();
      await sleep(EVERY_MS, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const rows = await this.query<Drift>('select what, id, expected::text, actual::text from money_drift()');
    this.#snapshots++;
    for (const { what, id, expected, actual } of rows) {
      const difference = BigInt(actual) - BigInt(expected);
      this.#sum += difference < 0n ? -difference : difference;
      this.#faults.push(`snapshot ${this.#snapshots}: ${what} of ${id} is ${actual}, not ${expected}`);
    }
  }
}
