import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { nameInstallation, type TaskMoneyPort } from '@mg/contract';
import {
  deriveSecretKey,
  followCatalog,
  type FollowedCatalog,
  loadChannel,
  openDatabase,
  readRedisSecret,
  reportAttempts,
  reportPlane,
  TaskStore,
  toCooldownReport,
  WebhookDeliveries,
} from '@mg/persistence/video';
import { deriveTaskKey } from '@mg/protocols';
import { AttemptTally, ChannelHealth, KeyRotation } from '@mg/routing';
import {
  errorMessage,
  type Lifecycle,
  type PlaneOptions,
  openTracer,
  PRODUCT_VERSION,
  readTracerOptions,
  type Registry,
  StandBy,
  watchRefusedMessages,
} from '@mg/runtime';
import {
  createBillingClient,
  createResultStore,
  JobHttp,
  RedisLimitStore,
  RedisScope,
  TokenExchange,
} from '@mg/transport';
import type { DataSource } from 'typeorm';
import { type BatchRounds, openBatches } from './batches/open-batches.js';
import { ChannelGate } from './drive/channel-gate.js';
import { ChannelRates } from './drive/channel-rates.js';
import { TaskTrace } from './trace/task-trace.js';
import { createVideoMetrics } from './video-metrics.js';
import type { WorkerContext } from './worker-context.js';

const POOL_SIZE = 10;
const REQUESTS_PER_CHANNEL = 16;
/** For the last spans; who waits for the end waits no longer for them. */
const LAST_TRACES_MS = 2_000;

export interface OpenWorker {
  readonly worker: WorkerContext;
  readonly batches: BatchRounds;
  readonly database: DataSource;
  readonly catalog: FollowedCatalog;
}

export interface WorkerOptions extends PlaneOptions {
  readonly registry: Registry;
  /** Charges and ends tasks; the client of the billing plane when left out. */
  readonly money?: Pick<TaskMoneyPort, 'chargeTask' | 'endTask'> | undefined;
}

/**
 * Opens everything behind the queue: the configuration that follows the database, the clients of billing and of providers.
 *
 * @throws Error naming what of the environment is missing.
 */
export async function openWorker(options: WorkerOptions, life: Lifecycle): Promise<OpenWorker> {
  const { environment, logger, registry } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEY: encryptionKey } = environment;
  if (databaseUrl === undefined || redisUrl === undefined || encryptionKey === undefined) {
    throw new Error('The video worker needs DATABASE_URL, REDIS_URL and ENCRYPTION_KEY.');
  }
  const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const http = life.own('clients', 'providers', new JobHttp(nameInstallation(encryptionKey)));
  const results = createResultStore(environment, http);
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'video-worker',
    standBy: new StandBy({ ...options, plane: 'video-worker', portVariable: 'VIDEO_WORKER_PORT' }),
  });
  life.onStop('database', { name: 'database', close: () => database.destroy() });
  const redis = new RedisScope({
    redisUrl,
    secret: await readRedisSecret(database),
    onRefused: watchRefusedMessages(registry, logger),
  });
  const catalog = await followCatalog({ database, databaseUrl, secretKey, logger });
  life.own('background', 'configuration', catalog);
  const billing = life.own('clients', 'billing', createBillingClient({ redis }));
  const instance = environment.INSTANCE_ID ?? `${hostname()}:${environment.VIDEO_WORKER_PORT}`;
  const health = new ChannelHealth(() => performance.now());
  const report = reportPlane(database, { plane: 'video-worker', instance, version: PRODUCT_VERSION }, () => ({
    resting: health.listCooldowns().map(toCooldownReport),
  }));
  life.own('background', 'report', report);
  const tracer = await openTracing(options, life);
  const worker: WorkerContext = {
    name: `video-worker/${instance}`,
    catalog: () => catalog.current,
    findChannel: (id) => loadChannel(database, secretKey, id),
    store: new TaskStore(database),
    deliveries: new WebhookDeliveries(database),
    money: options.money ?? billing,
    http,
    tokenExchange: new TokenExchange(),
    keys: new KeyRotation(),
    health,
    attempts: openAttempts(database, options, life),
    gate: new ChannelGate(REQUESTS_PER_CHANNEL),
    rates: openRates(redis, instance, life),
    results,
    key: deriveTaskKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS),
    publicUrl: environment.PUBLIC_URL?.replace(/\/+$/, ''),
    allowPrivateUrls: environment.ALLOW_PRIVATE_URLS,
    metrics: createVideoMetrics(registry),
    trace: new TaskTrace(tracer),
    redis,
    logger,
  };
  const native = { catalog: worker.catalog, findChannel: worker.findChannel, http };
  const batches = openBatches(
    { environment, encryptionKey, database, redis, results, registry, logger, native, name: worker.name },
    life,
  );
  return { worker, batches, database, catalog };
}

/** Counts attempts, and reports them where gateways report theirs. Nothing depends on it: what cannot be written is left out. */
function openAttempts(database: DataSource, { logger }: WorkerOptions, life: Lifecycle): AttemptTally {
  const tally = new AttemptTally();
  const warn = (error: unknown) =>
    logger.warn({ reason: errorMessage(error) }, 'figures of attempts could not be written');
  life.own('background', 'figures of attempts', reportAttempts(database, tally, warn));
  return tally;
}

/** Redis that is away is what wakes workers, too: it is known without being said for limits as well. */
function openRates(redis: RedisScope, instance: string, life: Lifecycle): ChannelRates {
  const owner = { instance: `video-worker/${instance}`, epoch: randomUUID() };
  const silent = () => undefined;
  const store = new RedisLimitStore({ redis, owner, onReady: silent, onOutage: silent, apart: 'channel:' });
  return new ChannelRates(life.own('clients', 'limits', store));
}

/** @returns `undefined` where nothing is traced. */
async function openTracing({ environment, logger }: WorkerOptions, life: Lifecycle) {
  const options = readTracerOptions(environment, logger);
  if (options === undefined) return undefined;
  const { tracer, close } = await openTracer(options);
  life.onStop('writers', { name: 'traces', close, withinMs: LAST_TRACES_MS });
  return tracer;
}
