import type { Histogram, Registry } from '@mg/runtime';

/** What a histogram is called, and its upper bounds in ascending order. */
export interface BatchedHistogramOptions {
  readonly name: string;
  readonly help: string;
  readonly buckets: readonly number[];
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The values of one label set. */
export class Distribution {
  /** By bound; those beyond the last one stand behind it. */
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  get count(): number {
    return this.#count;
  }

  /** A value that is no finite number is left out: it would stay in the sum until the process ends. */
  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    const { bounds } = this;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] ?? 0)) place++;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += value;
    this.#count++;
  }

  /** As Prometheus reads them: each bucket counts what those before it do. */
  list(name: string, labels: Readonly<Record<string, string>>): Value[] {
    let upTo = 0;
    const buckets = this.bounds.map((le, place) => ({
      metricName: `${name}_bucket`,
      labels: { le, ...labels },
      value: (upTo += this.#counts[place] ?? 0),
    }));
    return [
      ...buckets,
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...labels }, value: this.#count },
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: this.#count },
    ];
  }
}

/**
 * A histogram whose figures are added to without prom-client, which checks and joins labels for each value (1.2 us of four that
 * each call has). It is a metric of its registry that is read when metrics are asked for. Figures are kept for good: labels have
 * to come from a small set.
 */
export class BatchedHistogram<Label extends string> {
  /** By label values. */
  readonly #figures = new Map<
    string,
    { readonly labels: Record<Label, string>; readonly distribution: Distribution }
  >();
  readonly #buckets: readonly number[];

  constructor(registry: Registry, { name, help, buckets }: BatchedHistogramOptions) {
    this.#buckets = buckets;
    const described = { name, help, type: 'histogram', aggregator: 'sum' };
    const get = async () => ({
      ...described,
      values: [...this.#figures.values()]
        .filter(({ distribution }) => distribution.count > 0)
        .flatMap(({ labels, distribution }) => distribution.list(name, labels)),
    });
    // A registry reads metrics of its own by these members alone; its types know no others than prom-client's.
    registry.registerMetric({ ...described, get } as unknown as Histogram);
  }

  /** The figure of a label set, the same one each time; whoever asks keeps it, since the set is looked up here. */
  open(labels: Record<Label, string>): Distribution {
    const key = JSON.stringify(Object.entries(labels).sort());
    const known = this.#figures.get(key);
    if (known) return known.distribution;
    const distribution = new Distribution(this.#buckets);
    this.#figures.set(key, { labels, distribution });
    return distribution;
  }
}
