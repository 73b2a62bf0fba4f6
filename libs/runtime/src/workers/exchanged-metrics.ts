import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../metrics.js';
import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';
import type { MetricsSource } from './worker-role.js';

/** Longer than the primary waits for workers. */
const ANSWER_WITHIN_MS = 5_000;

/** A worker's side of metrics: it sends its own when the primary asks, and asks the primary for those of all. */
export class ExchangedMetrics {
  readonly #waiting = new Map<number, (text: string) => void>();
  #registry: Registry | undefined;
  #lastId = 0;

  constructor(private readonly send: (message: MessageFromWorker) => void) {}

  share(registry: Registry): MetricsSource {
    this.#registry = registry;
    return { contentType: registry.contentType, metrics: () => this.#ask() };
  }

  receive(message: MessageToWorker): void {
    if (message.type === 'read-metrics') void this.#answer(message.id);
    if (message.type === 'all-metrics') this.#waiting.get(message.id)?.(message.text);
  }

  async #answer(id: number): Promise<void> {
    // A worker whose metrics cannot be read counts as one that does not answer.
    const metrics = await this.#registry?.getMetricsAsJSON().catch(() => undefined);
    if (metrics) this.send({ type: 'metrics', id, metrics });
  }

  async #ask(): Promise<string> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#waiting.set(id, resolve);
    this.send({ type: 'ask-metrics', id });
    try {
      const text = await Promise.race([promise, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
      if (text === undefined) throw new Error('The primary process does not answer.');
      return text;
    } finally {
      this.#waiting.delete(id);
    }
  }
}
