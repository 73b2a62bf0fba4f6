import type { Catalog, Channel, TaskMoneyPort } from '@mg/contract';
import type { TaskStore, WebhookDeliveries } from '@mg/persistence/video';
import type { TaskKey } from '@mg/protocols';
import type { AttemptTally, ChannelHealth, KeyRotation } from '@mg/routing';
import type { Logger } from '@mg/runtime';
import type { JobHttp, RedisScope, ResultStore, TokenExchange } from '@mg/transport';
import type { ChannelGate } from './drive/channel-gate.js';
import type { ChannelRates } from './drive/channel-rates.js';
import type { TaskTrace } from './trace/task-trace.js';
import type { VideoMetrics } from './video-metrics.js';

/** What the steps of a task work with, wired once at start. */
export interface WorkerContext {
  /** Name of this worker in its claims. */
  readonly name: string;
  readonly catalog: () => Catalog;
  /** A channel by its id, disabled ones included. */
  findChannel(id: string): Promise<Channel | undefined>;
  readonly store: TaskStore;
  readonly deliveries: WebhookDeliveries;
  readonly money: Pick<TaskMoneyPort, 'chargeTask' | 'endTask'>;
  readonly http: JobHttp;
  readonly tokenExchange: TokenExchange;
  readonly keys: KeyRotation;
  readonly health: ChannelHealth;
  /** How submits went, and runs of polls that failed. */
  readonly attempts: Pick<AttemptTally, 'noteServed' | 'noteFailed'>;
  readonly gate: ChannelGate;
  readonly rates: Pick<ChannelRates, 'take'>;
  readonly results: ResultStore | undefined;
  readonly key: TaskKey;
  /** Address of the gateway plane as callers reach it, where the operator set it. */
  readonly publicUrl: string | undefined;
  /** Whether URLs that callers send may lead to private addresses. */
  readonly allowPrivateUrls: boolean;
  readonly metrics: VideoMetrics;
  readonly trace: TaskTrace;
  readonly redis: RedisScope;
  readonly logger: Logger;
}

export const WORKER_CONTEXT = Symbol('worker worker');
