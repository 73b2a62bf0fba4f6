import { randomUUID } from 'node:crypto';
import {
  type Environment,
  GatewayError,
  type HoldOwner,
  nameInstallation,
  type WalletPort,
} from '@mg/contract';
import {
  CallerAccount,
  deriveSecretKey,
  findCallerToken,
  findToken,
  followCatalog,
  type FollowedCatalog,
  loadChannel,
  loadModel,
  openDatabase,
  type PlaneFacts,
  readRedisSecret,
  reportPlane,
  type SecretKey,
  toCooldownReport,
} from '@mg/persistence/gateway';
import { ChannelLoad, Hedging, KeyRotation, RetryBudget } from '@mg/routing';
import {
  createMetrics,
  type Lifecycle,
  type MetricsSource,
  ONE_PROCESS,
  type PlaneOptions,
  PRODUCT_VERSION,
  type Registry,
  registerWorkerMetrics,
  type RunningPlane,
  StandBy,
  startPlane,
  watchRefusedMessages,
  type WorkerRole,
  writeMetrics,
} from '@mg/runtime';
import {
  type BillingClient,
  type ChannelTestServer,
  createBillingClient,
  HttpUpstream,
  RedisScope,
  serveChannelTests,
  TokenExchange,
} from '@mg/transport';
import type { DataSource } from 'typeorm';
import { CallsInFlight } from './access/calls-in-flight.js';
import { FreeShares } from './access/fair-share.js';
import { Funds } from './access/funds.js';
import { BatchLines } from './access/batch-lines.js';
import { TokenCache } from './access/token-cache.js';
import { BodyCapture } from './capture/body-capture.js';
import { ResponseCache } from './cache/response-cache.js';
import { HeldCalls } from './call/held-calls.js';
import { Allowance, CAPTURES, REFUSALS } from './access/allowance.js';
import { InferenceMetrics, type Readings } from './call/inference-metrics.js';
import { TokenCounter } from './call/token-counter.js';
import { BodyBudget, SETTLEMENT_BYTES } from './edge/body-budget.js';
import { OpenSessions } from './edge/open-sessions.js';
import { openSpool } from './edge/spool.js';
import { startHttp } from './http/start-http.js';
import { Heartbeat } from './keep-heartbeat.js';
import type { LeaseRegistry } from './leases/lease-registry.js';
import { NO_LEASES } from './leases/leases.js';
import { nameInstance } from './name-instance.js';
import { openHealth } from './open-health.js';
import { openAttempts } from './open-attempts.js';
import { openImageLinks } from './open-image-links.js';
import { openLeases } from './open-leases.js';
import { openLimiter } from './open-limiter.js';
import { openMemories } from './open-memories.js';
import { openProber } from './open-prober.js';
import { openWriters, type Writers } from './open-writers.js';
import { shareConnections } from './share-environment.js';
import { ChangeNotifications } from './call/change-notifications.js';
import { ChatEndpoints } from './call/chat-endpoints.js';
import type { GatewayContext } from './call/gateway-context.js';
import { listModels } from './operations/channel-test/list-models.js';
import { testChannel } from './operations/channel-test/test-channel.js';
import { openTracing } from './trace/open-tracing.js';
import { openVideoContext, type VideoGateway } from './operations/video/video-context.js';

const MEBIBYTE = 1024 * 1024;
/** Answers in the cache of one process. */
const CACHE_MB = 64;
const SERVES_PORT = { portVariable: 'GATEWAY_PORT' } as const;
/** Usage that cannot be written for this long stops new calls: what cannot be billed is not served. */
const UNBILLABLE_AFTER_MS = 2_000;
/** For how long a gateway that stops waits for replies that are in flight. */
const LAST_REPLY_MS = 2_000;
/** For how long it exports the last traces. */
const LAST_TRACES_MS = 3_000;
/** Requests are cut at the end of the drain; so long after it, their connections are closed. */
const DRAIN_MARGIN_MS = 3_000;

export interface InferenceOptions extends PlaneOptions {
  /** Set in one of several processes that serve the port. */
  readonly worker?: WorkerRole;
}

/** Starts the gateway plane in this process: callers' endpoints in front of the channels of the catalog, paid for through billing. */
export function startInferencePlane(options: InferenceOptions): Promise<RunningPlane> {
  return startPlane('gateway', options, async (life) => {
    const { environment } = options;
    const parts = await openParts(options, life);
    await parts.gateway.counter.warmUp();
    const http = await startHttp({
      environment,
      gateway: parts.gateway,
      metrics: parts.metrics,
      unready: () => life.obstacle ?? explainUnready(parts),
    });
    life.own('intake', 'requests', http, environment.DRAIN_TIMEOUT_SECONDS * 1_000 + DRAIN_MARGIN_MS);
    return http.address;
  });
}

interface Parts {
  readonly gateway: VideoGateway;
  readonly metrics: MetricsSource;
  readonly catalog: FollowedCatalog;
  readonly heartbeat: Heartbeat;
}

/** Opens everything behind the endpoints: configuration that follows the database, billing's client, writers, upstreams. */
async function openParts(options: InferenceOptions, life: Lifecycle): Promise<Parts> {
  const { environment, logger, worker } = options;
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEY: encryptionKey } = environment;
  if (databaseUrl === undefined || redisUrl === undefined || encryptionKey === undefined) {
    throw new Error('The gateway needs DATABASE_URL, REDIS_URL and ENCRYPTION_KEY.');
  }
  const database = await openOwnDatabase(databaseUrl, options, life);
  const tokens = new TokenCache((keyHash) => findCallerToken(database, keyHash));
  const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const replyEnds = new ChangeNotifications();
  let leases: LeaseRegistry | undefined;
  const owner = nameOwner(environment);
  const shared = openHealth(database, owner.epoch, logger);
  const catalog = await followCatalog({
    database,
    databaseUrl,
    secretKey,
    logger,
    onTokenChanged: (keyHash) => tokens.forget(keyHash),
    onReplyEnded: (name) => replyEnds.notify(name),
    onLeasesRecalled: (walletId) => leases?.recall(walletId),
    onHealthChanged: (payload) => shared.hear(payload),
    onReconnected: () => {
      tokens.forgetAll();
      replyEnds.notifyAll();
    },
  });
  life.own('background', 'configuration', catalog);
  const current = () => catalog.current;
  const spool = await openSpool(environment, logger);
  const metrics = createMetrics('gateway', environment);
  const redis = await openRedisScope(database, redisUrl, watchRefusedMessages(metrics, logger));
  const wallet = life.own('clients', 'billing', createBillingClient({ redis }));
  const writers = await openWriters(database, { environment, owner, logger, metrics }, life);
  const heldCalls = new HeldCalls();
  leases = openLeases({ port: wallet, owner, heldCalls, ...writers, catalog: current }, options, life);
  const heartbeat = startHeartbeat(new Heartbeat(wallet, owner, heldCalls), life);
  const upstreams = createUpstreamParts(environment, encryptionKey, life);
  const parts = { environment, database, redis, money: wallet, catalog: current, logger };
  const video = life.own('background', 'video tasks', openVideoContext(parts));
  const budgets = openBudgets(environment);
  const gateway: VideoGateway = {
    catalog: current,
    tokens,
    ...createLookups(database, secretKey),
    batchLines: new BatchLines(redis),
    wallet: onlyWhileConnected(wallet, heartbeat),
    video,
    ...upstreams,
    ...(await openRecordParts({ ...writers, secretKey }, options, life)),
    images: openImageLinks(video.results, options, life),
    publicUrl: environment.PUBLIC_URL?.replace(/\/+$/, ''),
    health: shared.health,
    attempts: openAttempts(database, options, life),
    heldCalls,
    leases: leases ?? NO_LEASES,
    limiter: openLimiter(redis, owner, database, logger, life),
    ...openMemories({ database, secretKey, results: video.results, bodies: budgets.bodies }, options, life),
    replyEnds,
    cache: new ResponseCache(CACHE_MB * MEBIBYTE, () => performance.now()),
    ...createFreeCallParts(database, life),
    metrics: new InferenceMetrics(metrics, readingsOf({ ...writers, ...budgets, spool }, leases)),
    ...budgets,
    spool,
    owner,
    logger,
  };
  watchChannels(database, { ...options, redis, gateway }, life);
  return { gateway, metrics: showMetrics(metrics, worker), catalog, heartbeat };
}

/** Rows by their ids, whatever state they are in: what was begun with them comes to its end. */
function createLookups(
  database: DataSource,
  secretKey: SecretKey,
): Pick<GatewayContext, 'findChannel' | 'findToken' | 'loadModel'> {
  return {
    findChannel: (id) => loadChannel(database, secretKey, id),
    findToken: (id) => findToken(database, id),
    loadModel: (slug) => loadModel(database, slug),
  };
}

function openBudgets({ BODY_BUDGET_MB }: Environment) {
  return {
    bodies: new BodyBudget(BODY_BUDGET_MB * MEBIBYTE),
    settlements: new BodyBudget(SETTLEMENT_BYTES),
  };
}

/** What calls leave behind: usage, rows of the log, bodies, traces. */
async function openRecordParts(
  { journal, requestLog, bodies, secretKey }: Writers & { readonly secretKey: SecretKey },
  { environment, logger }: InferenceOptions,
  life: Lifecycle,
): Promise<Pick<GatewayContext, 'journal' | 'requestLog' | 'capture' | 'refusals' | 'tracing'>> {
  const now = () => performance.now();
  const tracing = await openTracing(environment, logger);
  life.onStop('writers', { name: 'traces', close: () => tracing.close(), withinMs: LAST_TRACES_MS });
  return {
    journal,
    requestLog,
    capture: new BodyCapture(bodies, new Allowance(CAPTURES, now), secretKey),
    refusals: new Allowance(REFUSALS, now),
    tracing,
  };
}

/** Waits for the schema: on the port where it is this process's own. */
async function openOwnDatabase(url: string, options: InferenceOptions, life: Lifecycle): Promise<DataSource> {
  const { worker } = options;
  const served = worker ? {} : SERVES_PORT;
  const standBy = new StandBy({ ...options, plane: 'gateway', ...served });
  const poolSize = shareConnections(worker?.of ?? 1);
  const database = await openDatabase({ url, poolSize, applicationName: 'gateway', standBy });
  life.onStop('database', { name: 'database', close: () => database.destroy() });
  return database;
}

/** What is shown at `/metrics`: of a worker those of all. */
function showMetrics(metrics: Registry, worker: WorkerRole | undefined): MetricsSource {
  if (worker) return worker.shareMetrics(metrics);
  registerWorkerMetrics(metrics, ONE_PROCESS);
  return { contentType: metrics.contentType, metrics: () => writeMetrics(metrics) };
}

function ownCounter(counter: TokenCounter, life: Lifecycle): TokenCounter {
  life.own('clients', 'token counter', counter);
  const close = () => counter.whenIdle();
  life.onStop('background', { name: 'counts of tokens', close, withinMs: LAST_REPLY_MS });
  return counter;
}

function startHeartbeat(heartbeat: Heartbeat, life: Lifecycle): Heartbeat {
  heartbeat.start();
  return life.own('background', 'heartbeat', heartbeat, LAST_REPLY_MS);
}

async function openRedisScope(
  database: DataSource,
  redisUrl: string,
  onRefused: (reason: string) => void,
): Promise<RedisScope> {
  return new RedisScope({ redisUrl, secret: await readRedisSecret(database), onRefused });
}

function readingsOf(
  { journal, bodies, spool }: Pick<GatewayContext, 'journal' | 'bodies' | 'spool'>,
  leases: LeaseRegistry | undefined,
): Readings {
  return {
    pendingJournalRows: () => journal.pending,
    heldBodyBytes: () => bodies.heldBytes,
    spooledBytes: () => spool.heldBytes,
    leases: () => leases?.size ?? 0,
  };
}

/** What upstreams are called with. */
function createUpstreamParts(
  { FETCH_MEDIA_URLS: enabled, ALLOW_PRIVATE_URLS: allowPrivate, PUBLIC_URL }: Environment,
  encryptionKey: string,
  life: Lifecycle,
): Pick<
  GatewayContext,
  | 'installation'
  | 'publicUrl'
  | 'upstream'
  | 'tokenExchange'
  | 'chatEndpoints'
  | 'keys'
  | 'mediaFetching'
  | 'load'
  | 'retries'
  | 'hedging'
> {
  const installation = nameInstallation(encryptionKey);
  return {
    installation,
    publicUrl: PUBLIC_URL?.replace(/\/+$/, ''),
    upstream: life.own('clients', 'upstreams', new HttpUpstream(installation)),
    tokenExchange: new TokenExchange(),
    chatEndpoints: new ChatEndpoints(),
    keys: new KeyRotation(),
    mediaFetching: { enabled, allowPrivate },
    load: new ChannelLoad(() => performance.now()),
    retries: new RetryBudget(() => performance.now()),
    hedging: new Hedging(),
  };
}

/** What free calls depend on, and the counter for calls whose upstream reports no usage. */
function createFreeCallParts(
  database: DataSource,
  life: Lifecycle,
): Pick<GatewayContext, 'account' | 'funds' | 'shares' | 'inFlight' | 'sessions' | 'counter'> {
  const account = new CallerAccount(database);
  return {
    account,
    funds: new Funds((caller) => account.readBalance(caller)),
    shares: new FreeShares(),
    inFlight: new CallsInFlight(),
    sessions: new OpenSessions(),
    counter: ownCounter(new TokenCounter(), life),
  };
}

function serveTests({
  redis,
  gateway,
}: {
  readonly redis: RedisScope;
  readonly gateway: GatewayContext;
}): ChannelTestServer {
  return serveChannelTests(redis, {
    testChannel: (id, model) => testChannel(gateway, id, model),
    listModels: (id) => listModels(gateway, id),
  });
}

/** A process that billing may consider dead opens no hold until a heartbeat has been answered again. */
function onlyWhileConnected(wallet: BillingClient, heartbeat: Heartbeat): WalletPort {
  return {
    ...wallet,
    openHold: async (request) => {
      if (!heartbeat.isCutOff) return wallet.openHold(request);
      throw new GatewayError(
        'service_unavailable',
        'This gateway has been cut off from billing; try again.',
        {
          retryAfter: 1,
        },
      );
    },
  };
}

function nameOwner(environment: Environment): HoldOwner {
  return { instance: `gateway/${nameInstance(environment)}`, epoch: randomUUID() };
}

/** Tests channels for the Console, probes idle ones, and reports those that are left out. */
function watchChannels(
  database: DataSource,
  parts: InferenceOptions & Parameters<typeof serveTests>[0],
  life: Lifecycle,
): void {
  const { gateway } = parts;
  life.own('intake', 'channel tests', serveTests(parts), LAST_REPLY_MS);
  openProber(database, gateway, parts, life);
  life.own('background', 'report', reportHealth(database, parts.environment, gateway));
}

/** Reports to the Console that this process is alive, and which channels it leaves out. */
function reportHealth(database: DataSource, environment: Environment, { health }: GatewayContext) {
  return reportPlane(database, describeGateway(environment), () => ({
    resting: health.listCooldowns().map(toCooldownReport),
  }));
}

function describeGateway(environment: Environment): PlaneFacts {
  return { plane: 'gateway', instance: nameInstance(environment), version: PRODUCT_VERSION };
}

function explainUnready({ catalog, heartbeat, gateway }: Parts): string | undefined {
  if (!catalog.loaded) return 'The configuration has not been read yet.';
  if (!heartbeat.alive) return 'Billing does not answer.';
  if (gateway.journal.failingMs > UNBILLABLE_AFTER_MS) return 'Usage cannot be written to the database.';
  return undefined;
}
