import type { Environment } from '@mg/contract';
import type { Registry } from 'prom-client';

/** The metrics of one process at one moment, as prom-client writes them to be added up. */
export type ReadMetrics = Readonly<Awaited<ReturnType<Registry['getMetricsAsJSON']>>>;

/** What a primary sends to a worker. */
export type MessageToWorker =
  | {
      readonly type: 'start';
      readonly environment: Environment;
      /** From 1. Whoever replaces a worker has its number. */
      readonly number: number;
      /** How many workers there are. */
      readonly of: number;
    }
  | { readonly type: 'read-metrics'; readonly id: number }
  | { readonly type: 'all-metrics'; readonly id: number; readonly text: string };

/** What a worker sends to its primary. */
export type MessageFromWorker =
  /** Its program is loaded and waits to be started. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly address: string | undefined }
  /** Every few seconds: its event loop runs. */
  | { readonly type: 'alive' }
  | { readonly type: 'metrics'; readonly id: number; readonly metrics: ReadMetrics }
  /** Somebody has asked this worker for the metrics of all. */
  | { readonly type: 'ask-metrics'; readonly id: number };
