import { Counter, Gauge, type Registry } from '../metrics.js';

/** What is read off when metrics are asked for. */
export interface WorkerReadings {
  /** Workers that serve. */
  serving(): number;
  /** Workers that did not answer when this scrape asked for their metrics. */
  unresponsive(): number;
  /** Workers that ended by themselves so far. */
  ended(): number;
}

/** Metrics of the processes that a plane consists of. */
export function registerWorkerMetrics(registry: Registry, readings: WorkerReadings): void {
  const registers = [registry];
  const serving: Gauge = new Gauge({
    name: 'gateway_workers',
    help: 'Processes that serve the port of this gateway.',
    registers,
    collect: () => serving.set(readings.serving()),
  });
  const unresponsive: Gauge = new Gauge({
    name: 'gateway_workers_unresponsive',
    help: 'Workers whose figures in this scrape are old or missing: frozen, or not replaced yet.',
    registers,
    collect: () => unresponsive.set(readings.unresponsive()),
  });
  const ended: Counter = new Counter({
    name: 'gateway_workers_ended_total',
    help: 'Workers that ended unexpectedly, and were replaced.',
    registers,
    collect: () => {
      ended.reset();
      ended.inc(readings.ended());
    },
  });
}

/** A plane that is one process. */
export const ONE_PROCESS: WorkerReadings = { serving: () => 1, unresponsive: () => 0, ended: () => 0 };
