import { type Aggregator, AggregatorRegistry, type PrometheusContentType, type Registry } from 'prom-client';
import { writeMetrics } from '../write-metrics.js';
import type { ReadMetrics } from './worker-messages.js';

/** The metrics of a plane that is several processes, as those of one. */
export class MergedMetrics {
  /** The last of each living worker: one that does not answer now keeps what it has counted. */
  readonly #latest = new Map<number, ReadMetrics>();
  /** What workers that have ended had counted: a sum that shrinks would look like a restart of all. */
  #ended: Promise<ReadMetrics> = Promise.resolve([]);

  note(worker: number, metrics: ReadMetrics): void {
    this.#latest.set(worker, metrics.map(withAggregator));
  }

  /** A worker has ended: what it counted stays, what it measured does not. */
  end(worker: number): void {
    const latest = this.#latest.get(worker) ?? [];
    this.#latest.delete(worker);
    const counted = latest.filter(({ type }) => type === COUNTER || type === HISTOGRAM);
    this.#ended = this.#ended.then((ended) => addUp([ended, counted]).getMetricsAsJSON());
  }

  /** @param own of the primary itself. @returns the text of a scrape. */
  async write(own: ReadMetrics): Promise<string> {
    const ended = await this.#ended;
    return writeMetrics(addUp([own.map(withAggregator), ...this.#latest.values(), ended]));
  }
}

function addUp(all: readonly ReadMetrics[]): Registry {
  return AggregatorRegistry.aggregate<PrometheusContentType>(all.map((metrics) => [...metrics]));
}

/** As prom-client writes types: TypeScript's declaration has an enumeration that is not there at run time. */
const COUNTER: unknown = 'counter';
const HISTOGRAM: unknown = 'histogram';

/** Figures of several processes are added up, unless they say otherwise; Node's own are declared by prom-client. */
function withAggregator(metric: ReadMetrics[number]): ReadMetrics[number] {
  return { ...metric, aggregator: findAggregator(metric) };
}

function findAggregator({ name, aggregator }: ReadMetrics[number]): Aggregator {
  if (name === 'process_start_time_seconds') return 'min';
  // A mean of means would hide the one worker that is late.
  if (name.startsWith('nodejs_eventloop_lag')) return name.includes('_min_') ? 'min' : 'max';
  return aggregator;
}
