import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  followJournal,
  JournalLedger,
  openDatabase,
  type PlaneDetails,
  reportPlane,
  STATEMENT_TIMEOUT_MS,
  SystemRepository,
  TaskLedger,
  UsageLedger,
  WalletLedger,
} from '@mg/persistence';
import {
  closeInOrder,
  type CloseStep,
  createMetrics,
  DEFAULT_PLANE_HOST,
  explainListenError,
  type Logger,
  NestLogger,
  type PlaneOptions,
  PRODUCT_VERSION,
  type Registry,
  type RunningPlane,
  StandBy,
  startHealthServer,
} from '@mg/runtime';
import { ClaimingServerRedis } from '@mg/transport';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { BillingMetrics, observeJournal } from './billing-metrics.js';
import { BillingModule, type BillingParts } from './billing.module.js';
import { DriftChecker } from './drift-checker.js';
import { JournalPoster } from './journal-poster.js';
import { reasonOf } from './reason-of.js';
import { Sweeper } from './sweeper.js';
import { UsageFolder } from './usage-folder.js';

const POOL_SIZE = 10;
const ANSWERS_WITHIN_MS = 1_000;
/** For how long a plane that stops lets questions and rounds of work come to their end. */
const ANSWER_LAST_MS = 10_000;
const WORK_LAST_MS = 3_000;

/**
 * Starts the billing plane, the only writer of money: it answers questions on Nest's Redis transport, posts the journal,
 * sweeps and checks the books; health and metrics are on BILLING_PORT.
 *
 * @throws Error with one sentence when Postgres, Redis or the port cannot be had.
 */
export async function startBillingPlane({ environment, logger }: PlaneOptions): Promise<RunningPlane> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, BILLING_PORT: port } = environment;
  if (databaseUrl === undefined || redisUrl === undefined) {
    throw new Error('The billing plane needs DATABASE_URL and REDIS_URL.');
  }
  const open: CloseStep[] = [];
  const closeAll = () => closeLastFirst(open, logger);
  let draining = false;
  try {
    const database = await openDatabase({
      url: databaseUrl,
      poolSize: POOL_SIZE,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      applicationName: 'billing',
      standBy: new StandBy({ plane: 'billing', portVariable: 'BILLING_PORT', environment, logger }),
    });
    open.push({ name: 'database', close: () => database.destroy() });
    const strategy = new ClaimingServerRedis(redisUrl, 'billing');
    const registry = createMetrics('billing', environment);
    observeJournal(registry, new SystemRepository(database.manager));
    const parts = createParts(database, { registry, logger, canHear: () => strategy.connected });
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(BillingModule.with(parts), {
      strategy,
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    open.push(...startWorkers(app, databaseUrl, logger), {
      name: 'questions',
      close: () => app.close(),
      withinMs: ANSWER_LAST_MS,
    });
    await listen(app);
    const health = await startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port,
      environment,
      metrics: registry,
      unready: async () => {
        if (draining) return 'The billing plane is draining.';
        return strategy.connected ? explainSilence(parts.ledger) : 'Redis cannot be reached.';
      },
    }).catch((error: unknown) => {
      throw explainListenError(error, 'BILLING_PORT', port);
    });
    open.unshift({ name: 'health', close: () => health.close() });
    const instance = environment.INSTANCE_ID ?? `${hostname()}:${port}`;
    const report = reportPlane(database, { plane: 'billing', instance, version: PRODUCT_VERSION }, () =>
      describeBooks(app.get(DriftChecker)),
    );
    open.push({ name: 'report', close: () => report.close() });
    return {
      name: 'billing',
      address: health.address,
      close: () => {
        draining = true;
        return closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function createParts(
  database: Awaited<ReturnType<typeof openDatabase>>,
  { registry, ...rest }: Pick<BillingParts, 'logger' | 'canHear'> & { readonly registry: Registry },
): BillingParts {
  return {
    ledger: new WalletLedger(database),
    tasks: new TaskLedger(database),
    journal: new JournalLedger(database),
    usage: new UsageLedger(database),
    metrics: new BillingMetrics(registry),
    ...rest,
  };
}

async function closeLastFirst(open: CloseStep[], logger: Logger): Promise<void> {
  const steps = open.splice(0).toReversed();
  await closeInOrder(
    steps.map((step) => [step]),
    logger,
  );
}

/** Starts what works by itself, in the order in which it is to be stopped last to first. */
function startWorkers(app: INestMicroservice, databaseUrl: string, logger: Logger): CloseStep[] {
  const poster = app.get(JournalPoster);
  const workers = {
    journal: poster,
    sweeper: app.get(Sweeper),
    'sums of usage': app.get(UsageFolder),
    'check of the books': app.get(DriftChecker),
  };
  for (const worker of Object.values(workers)) worker.start();
  const follower = followJournal(
    databaseUrl,
    () => poster.wake(),
    (error) =>
      logger.warn(
        { reason: reasonOf(error) },
        'the journal is polled only, since it cannot be followed at the moment',
      ),
  );
  return [
    ...Object.entries(workers).map(([name, worker]) => ({
      name,
      close: () => worker.close(),
      withinMs: WORK_LAST_MS,
    })),
    { name: 'news of the journal', close: () => follower.close() },
  ];
}

function describeBooks({ rows }: DriftChecker): PlaneDetails {
  return rows === undefined ? {} : { drift_rows: rows };
}

async function listen(app: INestMicroservice): Promise<void> {
  try {
    await app.listen();
  } catch (error) {
    throw new Error('Redis cannot be reached: check REDIS_URL and whether it runs.', { cause: error });
  }
}

/** Why Postgres cannot be asked, or `undefined` when it answers in time. */
async function explainSilence(ledger: WalletLedger): Promise<string | undefined> {
  const silence = sleep(ANSWERS_WITHIN_MS, 'Postgres does not answer.', { ref: false });
  const answer = ledger.ping().then(
    () => undefined,
    () => 'Postgres cannot be reached.',
  );
  return Promise.race([answer, silence]);
}
