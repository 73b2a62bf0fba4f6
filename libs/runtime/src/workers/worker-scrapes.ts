import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from '../metrics.js';
import { MergedMetrics } from './merged-metrics.js';
import { registerWorkerMetrics } from './worker-metrics.js';
import type { ReadMetrics } from './worker-messages.js';
import type { WorkerProcess } from './worker-process.js';

/** For how long a scrape waits for workers; Prometheus gives up after ten seconds. */
const ANSWER_WITHIN_MS = 2_000;

interface Question {
  readonly id: number;
  /** Workers that have not answered yet. */
  readonly open: Set<number>;
  readonly answered: () => void;
}

/** Metrics of all workers and of their primary, in one text. Workers that do not answer in time are shown as they were. */
export class WorkerScrapes {
  readonly #merged = new MergedMetrics();
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #own: Registry;
  readonly #count: number;
  #question: Question | undefined;
  #writing: Promise<string> | undefined;
  #lastId = 0;
  #unresponsive = 0;
  #ended = 0;

  /** @param own registry of the primary. @param count how many workers there are to be. */
  constructor(own: Registry, count: number) {
    this.#own = own;
    this.#count = count;
    registerWorkerMetrics(own, {
      serving: () => this.#workers.size,
      unresponsive: () => this.#unresponsive,
      ended: () => this.#ended,
    });
  }

  add(worker: number, process: WorkerProcess): void {
    this.#workers.set(worker, process);
  }

  end(worker: number): void {
    this.#workers.delete(worker);
    this.#merged.end(worker);
    this.#noteAnswer(worker);
  }

  countRestart(): void {
    this.#ended += 1;
  }

  take(worker: number, { id, metrics }: { readonly id: number; readonly metrics: ReadMetrics }): void {
    this.#merged.note(worker, metrics);
    if (id === this.#question?.id) this.#noteAnswer(worker);
  }

  /** Asks all workers. Who asks meanwhile gets the same text. */
  write(): Promise<string> {
    this.#writing ??= this.#ask().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #ask(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const question = { id: ++this.#lastId, open: new Set(this.#workers.keys()), answered: resolve };
    this.#question = question;
    for (const process of this.#workers.values()) process.send({ type: 'read-metrics', id: question.id });
    if (question.open.size > 0) {
      await Promise.race([promise, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
    }
    this.#question = undefined;
    const missing = this.#count - this.#workers.size;
    this.#unresponsive = missing + question.open.size;
    return this.#merged.write(await this.#own.getMetricsAsJSON());
  }

  #noteAnswer(worker: number): void {
    this.#question?.open.delete(worker);
    if (this.#question?.open.size === 0) this.#question.answered();
  }
}
