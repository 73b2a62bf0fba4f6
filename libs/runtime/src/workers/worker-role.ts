import type { Registry } from '../metrics.js';

/** What is shown at `/metrics`. */
export interface MetricsSource {
  readonly contentType: string;
  /** @throws Error when they cannot be had now. */
  metrics(): Promise<string>;
}

/** What a process is among those that share a port. */
export interface WorkerRole {
  /** From 1. Whoever replaces a worker has its number. */
  readonly number: number;
  /** How many workers there are. */
  readonly of: number;
  /** Hands this process's metrics to the primary. @returns those of all. */
  shareMetrics(registry: Registry): MetricsSource;
}
