import { Counter, type Registry } from '@mg/runtime';

/** One figure of a counter, kept as a plain number. */
export interface Tally {
  value: number;
}

/** What a counter is called, and by which labels it is split. */
export interface BatchedCounterOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
}

/**
 * A counter whose figures are added to without prom-client, which checks and joins labels each time it is called; it is given
 * them when metrics are asked for. Figures are kept for good: labels have to come from a small set.
 */
export class BatchedCounter<Label extends string> {
  readonly #tallies: { readonly labels: Partial<Record<Label, string>>; readonly tally: Tally }[] = [];

  constructor(registry: Registry, options: BatchedCounterOptions<Label>) {
    const counter: Counter<Label> = new Counter({
      ...options,
      labelNames: [...options.labelNames],
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const { labels, tally } of this.#tallies) if (tally.value > 0) counter.inc(labels, tally.value);
      },
    });
  }

  /** Adds a figure; whoever asks keeps it, for one label set is one figure. */
  open(labels: Record<Label, string>): Tally {
    const tally = { value: 0 };
    this.#tallies.push({ labels, tally });
    return tally;
  }
}
