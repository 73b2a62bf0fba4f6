import { hostname } from 'node:os';
import { type Catalog, type Environment, type TaskMoneyPort, nameInstallation } from '@mg/contract';
import {
  CatalogFeed,
  deriveSecretKey,
  followChanges,
  loadCatalog,
  loadChannel,
  openDatabase,
  reportPlane,
  TaskStore,
  toRestingReport,
  WebhookDeliveries,
} from '@mg/persistence';
import { deriveTaskKey } from '@mg/protocols';
import { ChannelHealth } from '@mg/routing';
import { closeInOrder, type Logger, PRODUCT_VERSION, StandBy } from '@mg/runtime';
import { createBillingClient, createResultStore, JobHttp, TokenExchange } from '@mg/transport';
import type { DataSource } from 'typeorm';
import { ChannelGate } from './drive/channel-gate.js';
import type { VideoMetrics } from './video-metrics.js';
import type { WorkerKit } from './worker-kit.js';

const POOL_SIZE = 10;
const REQUESTS_PER_CHANNEL = 16;

export interface OpenWorker {
  readonly kit: WorkerKit;
  readonly database: DataSource;
  readonly feed: CatalogFeed;
  close(): Promise<void>;
}

export interface WorkerOptions {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly metrics: VideoMetrics;
  /** Billing's side of tasks; the line to the billing plane when left out. */
  readonly money?: Pick<TaskMoneyPort, 'chargeTask' | 'endTask'> | undefined;
}

/**
 * Everything behind the queue: the configuration that follows the database, the line to billing, the way to providers.
 *
 * @throws Error naming what of the environment is missing.
 */
export async function openWorker(options: WorkerOptions): Promise<OpenWorker> {
  const { environment, logger, metrics } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEY: encryptionKey } = environment;
  if (databaseUrl === undefined || redisUrl === undefined || encryptionKey === undefined) {
    throw new Error('The video worker needs DATABASE_URL, REDIS_URL and ENCRYPTION_KEY.');
  }
  const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const http = new JobHttp(nameInstallation(encryptionKey));
  const results = createResultStore(environment, http);
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: POOL_SIZE,
    applicationName: 'video-worker',
    standBy: new StandBy({ plane: 'video-worker', portVariable: 'VIDEO_WORKER_PORT', environment, logger }),
  });
  const load = async (version: number): Promise<Catalog> => {
    const { catalog, problems } = await loadCatalog(database, secretKey, version);
    for (const problem of problems) logger.error(problem);
    return catalog;
  };
  const feed = new CatalogFeed(load, (error) =>
    logger.warn({ err: error }, 'the configuration could not be read again'),
  );
  const changes = followFeed(databaseUrl, feed, logger);
  await feed.start();
  const billing = createBillingClient({ redisUrl });
  const store = new TaskStore(database);
  const instance = environment.INSTANCE_ID ?? `${hostname()}:${environment.VIDEO_WORKER_PORT}`;
  const health = new ChannelHealth(() => performance.now());
  const report = reportPlane(database, { plane: 'video-worker', instance, version: PRODUCT_VERSION }, () => ({
    resting: health.listResting().map(toRestingReport),
  }));
  return {
    kit: {
      worker: `video-worker/${instance}`,
      catalog: () => feed.current,
      findChannel: (id) => loadChannel(database, secretKey, id),
      store,
      deliveries: new WebhookDeliveries(database),
      money: options.money ?? billing,
      http,
      tokenExchange: new TokenExchange(),
      health,
      gate: new ChannelGate(REQUESTS_PER_CHANNEL),
      results,
      key: deriveTaskKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS),
      publicUrl: environment.PUBLIC_URL?.replace(/\/+$/, ''),
      allowPrivateUrls: environment.ALLOW_PRIVATE_URLS,
      metrics,
      logger,
    },
    database,
    feed,
    close: () => closeWorker({ report, changes, feed, http, billing, database }, logger),
  };
}

type Closable = Record<'report' | 'changes' | 'feed' | 'http' | 'billing', { close(): unknown }>;

function closeWorker(open: Closable & { readonly database: DataSource }, logger: Logger): Promise<void> {
  return closeInOrder(
    [
      [
        { name: 'report', close: () => open.report.close() },
        { name: 'changes of configuration', close: () => open.changes.close() },
        { name: 'configuration', close: () => open.feed.close() },
      ],
      [
        { name: 'providers', close: () => open.http.close() },
        { name: 'billing', close: () => open.billing.close() },
      ],
      [{ name: 'database', close: () => open.database.destroy() }],
    ],
    logger,
  );
}

function followFeed(databaseUrl: string, feed: CatalogFeed, logger: Logger) {
  return followChanges(databaseUrl, {
    catalogChanged: () => feed.refresh(),
    tokenChanged: () => undefined,
    connected: () => feed.refresh(),
    failed: (error) => logger.warn({ err: error }, 'configuration changes cannot be followed at the moment'),
  });
}
