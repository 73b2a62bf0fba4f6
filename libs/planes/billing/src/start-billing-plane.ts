import { hostname } from 'node:os';
import {
  followJournal,
  openDatabase,
  readRedisSecret,
  reportPlane,
  STATEMENT_TIMEOUT_MS,
  rehearseTasks,
  SystemRepository,
} from '@mg/persistence/billing';
import {
  createMetrics,
  DEFAULT_PLANE_HOST,
  errorMessage,
  explainListenError,
  findObstacle,
  type Lifecycle,
  type Logger,
  NestLogger,
  type PlaneOptions,
  PRODUCT_VERSION,
  type RunningPlane,
  StandBy,
  startHealthServer,
  startPlane,
  watchRefusedMessages,
} from '@mg/runtime';
import { RedisRpcServer, RedisScope } from '@mg/transport';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import type { DataSource } from 'typeorm';
import { observeDrift, observeJournal } from './billing-metrics.js';
import { BillingModule } from './billing.module.js';
import { BudgetWatch } from './budget-watch.js';
import { DriftChecker } from './drift-checker.js';
import { JournalPoster } from './journal-poster.js';
import { type RetentionDays, RetentionWorker } from './retention-worker.js';
import { Sweeper } from './sweeper.js';
import { UsageAggregator } from './usage-aggregator.js';

const POOL_SIZE = 10;
/** Those that requests use at once where there is hardly any time between them. */
const REHEARSED_CONNECTIONS = 6;
/** For how long a plane that stops lets requests and rounds of work come to their end. */
const LAST_REQUESTS_MS = 12_000;
const LAST_ROUND_MS = 3_000;

/**
 * Starts the billing plane, the only writer of money: it serves requests of other planes over Redis, posts the journal,
 * sweeps and checks the ledger; health and metrics are on BILLING_PORT.
 *
 * @throws Error with one sentence when Postgres, Redis or the port cannot be had.
 */
export function startBillingPlane(options: PlaneOptions): Promise<RunningPlane> {
  const { environment, logger } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, BILLING_PORT: port } = environment;
  return startPlane('billing', options, async (life) => {
    if (databaseUrl === undefined || redisUrl === undefined) {
      throw new Error('The billing plane needs DATABASE_URL and REDIS_URL.');
    }
    const database = await openDatabase({
      url: databaseUrl,
      poolSize: POOL_SIZE,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      applicationName: 'billing',
      standBy: new StandBy({ ...options, plane: 'billing', portVariable: 'BILLING_PORT' }),
    });
    life.onStop('database', { name: 'database', close: () => database.destroy() });
    const metrics = createMetrics('billing', environment);
    const redis = new RedisScope({
      redisUrl,
      secret: await readRedisSecret(database),
      onRefused: watchRefusedMessages(metrics, logger),
    });
    const requests = new RedisRpcServer({
      redis,
      plane: 'billing',
      onError: (error) => logger.warn({ reason: error.message }, 'requests of other planes cannot be served'),
    });
    observeJournal(metrics, new SystemRepository(database.manager));
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(
      BillingModule.over({ database, requests, metrics, logger, retention: readRetention(environment) }),
      { strategy: requests, logger: new NestLogger(logger), abortOnError: false },
    );
    // The first requests of a cold process took half a second and more on a busy machine, and callers wait for two at most.
    await rehearseTasks(database, REHEARSED_CONNECTIONS);
    observeDrift(metrics, () => app.get(DriftChecker).figures);
    life.own('intake', 'requests', app, LAST_REQUESTS_MS);
    startWorkers(app, databaseUrl, life, logger);
    await listen(app);
    const instance = environment.INSTANCE_ID ?? `${hostname()}:${port}`;
    life.own('background', 'report', reportLedger(database, instance, app.get(DriftChecker)));
    const health = await startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port,
      environment,
      metrics,
      unready: async () => {
        if (life.obstacle !== undefined || !requests.connected)
          return life.obstacle ?? 'Redis cannot be reached.';
        return findObstacle('Postgres', () => database.query('select 1'));
      },
    }).catch((error: unknown) => {
      throw explainListenError(error, 'BILLING_PORT', port);
    });
    life.own('health', 'health', health);
    return health.address;
  });
}

/** Starts what works by itself. What is in the journal is posted when everything else has come to its end. */
function startWorkers(app: INestMicroservice, databaseUrl: string, life: Lifecycle, logger: Logger): void {
  const poster = life.own('writers', 'journal', app.get(JournalPoster), LAST_ROUND_MS);
  const workers = [
    life.own('background', 'sweeper', app.get(Sweeper), LAST_ROUND_MS),
    life.own('background', 'usage rollups', app.get(UsageAggregator), LAST_ROUND_MS),
    life.own('background', 'budgets', app.get(BudgetWatch), LAST_ROUND_MS),
    life.own('background', 'retention', app.get(RetentionWorker), LAST_ROUND_MS),
    life.own('background', 'check of the ledger', app.get(DriftChecker), LAST_ROUND_MS),
  ];
  for (const worker of workers) worker.start();
  const follower = followJournal(
    databaseUrl,
    () => poster.wake(),
    (error) =>
      logger.warn(
        { reason: errorMessage(error) },
        'the journal is polled only, since it cannot be followed at the moment',
      ),
  );
  poster.start(() => follower.listening);
  life.own('background', 'changes of the journal', follower);
}

function readRetention(environment: PlaneOptions['environment']): RetentionDays {
  return {
    logs: environment.RETENTION_LOGS_DAYS,
    journal: environment.RETENTION_JOURNAL_DAYS,
    holds: environment.RETENTION_HOLDS_DAYS,
    tasks: environment.RETENTION_TASKS_DAYS,
    waste: environment.RETENTION_WASTE_DAYS,
    audit: environment.RETENTION_AUDIT_DAYS,
    hourly_usage: environment.RETENTION_HOURLY_USAGE_DAYS,
    daily_usage: environment.RETENTION_DAILY_USAGE_DAYS,
  };
}

/** Reports that the process lives, and how many figures of the ledger do not balance. */
function reportLedger(database: DataSource, instance: string, checker: DriftChecker) {
  return reportPlane(database, { plane: 'billing', instance, version: PRODUCT_VERSION }, () => {
    const { rows } = checker.figures;
    return rows === undefined ? {} : { drift_rows: rows };
  });
}

async function listen(app: INestMicroservice): Promise<void> {
  try {
    await app.listen();
  } catch (error) {
    throw new Error('Redis cannot be reached: check REDIS_URL and whether it runs.', { cause: error });
  }
}
