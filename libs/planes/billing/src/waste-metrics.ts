import { toUsdNumber } from '@mg/contract';
import type { BookedWaste } from '@mg/persistence/billing';
import { Counter, type Registry } from 'prom-client';

const LABELS = ['channel', 'reason'] as const;

/** What attempts that no caller pays for cost, for charts and alerts: the table of waste is exact. */
export class WasteMetrics {
  readonly #attempts: Counter<(typeof LABELS)[number]>;
  readonly #usd: Counter<(typeof LABELS)[number]>;
  readonly #givenUp: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#attempts = new Counter({
      name: 'billing_wasted_attempts_total',
      help: 'Attempts at upstreams that may be billed to us and that no caller pays for, by channel and reason.',
      labelNames: LABELS,
      registers,
    });
    this.#usd = new Counter({
      name: 'billing_waste_usd_total',
      help: 'What those attempts cost in USD, as an estimate.',
      labelNames: LABELS,
      registers,
    });
    this.#givenUp = new Counter({
      name: 'billing_waste_given_up_total',
      help: 'Batches of wasted attempts that could not be booked for an hour and are missing in the table of waste.',
      registers,
    });
  }

  countGivenUp(bookings: number): void {
    this.#givenUp.inc(bookings);
  }

  count(booked: readonly BookedWaste[]): void {
    for (const { channel, reason, amount } of booked) {
      this.#attempts.inc({ channel, reason });
      this.#usd.inc({ channel, reason }, toUsdNumber(amount));
    }
  }
}
