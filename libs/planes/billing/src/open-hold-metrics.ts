import { toUsdNumber } from '@mg/contract';
import type { OpenHoldTotals } from '@mg/persistence/billing';
import { Gauge, type Registry } from 'prom-client';

/** Money that is set aside. */
export class OpenHoldMetrics {
  readonly #count: Gauge<'kind'>;
  readonly #usd: Gauge<'kind'>;
  readonly #oldestAge: Gauge<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#count = new Gauge({
      name: 'billing_open_holds',
      help: 'Holds open, by what they are for: a call, a video, a line in a batch of a provider, or the calls of a gateway (a lease).',
      labelNames: ['kind'],
      registers,
    });
    this.#usd = new Gauge({
      name: 'billing_open_holds_usd',
      help: 'Sum of open holds in USD.',
      labelNames: ['kind'],
      registers,
    });
    this.#oldestAge = new Gauge({
      name: 'billing_oldest_open_hold_seconds',
      help: 'Age of the oldest open hold.',
      labelNames: ['kind'],
      registers,
    });
  }

  show({ kind, count, amount, oldestAgeSeconds }: OpenHoldTotals): void {
    this.#count.set({ kind }, count);
    this.#usd.set({ kind }, toUsdNumber(amount));
    this.#oldestAge.set({ kind }, oldestAgeSeconds);
  }
}
