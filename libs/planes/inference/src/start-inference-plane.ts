import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type Catalog,
  type Environment,
  GatewayError,
  type HoldOwner,
  type JournalRow,
  nameInstallation,
  type RequestLogRow,
  type WalletPort,
} from '@mg/contract';
import {
  BatchWriter,
  CallerAccount,
  CatalogFeed,
  type ChangeReader,
  deriveSecretKey,
  findCallerToken,
  followChanges,
  IdempotentReplies,
  loadCatalog,
  loadChannel,
  openDatabase,
  type PlaneFacts,
  reportPlane,
  type SecretKey,
  toRestingReport,
  writeJournal,
  writeRequestLog,
} from '@mg/persistence';
import { ChannelHealth } from '@mg/routing';
import {
  createMetrics,
  type Logger,
  type PlaneOptions,
  PRODUCT_VERSION,
  type Registry,
  type RunningPlane,
  StandBy,
} from '@mg/runtime';
import {
  type BillingClient,
  type ChannelTestServer,
  createBillingClient,
  HttpUpstream,
  serveChannelTests,
  TokenExchange,
} from '@mg/transport';
import type { DataSource } from 'typeorm';
import { FreeShares } from './access/fair-share.js';
import { Funds } from './access/funds.js';
import { TokenCache } from './access/token-cache.js';
import { closeGateway } from './close-gateway.js';
import { InferenceMetrics, type Readings } from './call/inference-metrics.js';
import { TokenCounter } from './count/token-counter.js';
import { BodyBudget } from './http/body-budget.js';
import { openSpool } from './http/spool.js';
import { startHttp } from './http/start-http.js';
import { Heartbeat } from './keep-heartbeat.js';
import type { Kit } from './kit.js';
import { testChannel } from './probe/test-channel.js';
import { openVideoKit } from './video/video-kit.js';

const MEBIBYTE = 1024 * 1024;
const CONNECTIONS = { poolSize: 10, applicationName: 'gateway' };
/** How long rows wait for company: a write costs the same for one as for many. */
const JOURNAL_DELAY_MS = 40;
const LOG_DELAY_MS = 100;
const MAX_BATCH = 500;
/** Usage that cannot be written for this long stops new calls: what cannot be billed is not served. */
const UNBILLABLE_AFTER_MS = 2_000;
const EXPIRE_REPLIES_EVERY_MS = 60 * 60 * 1_000;

/** Starts the gateway plane: callers' endpoints in front of the channels of the catalog, paid for through billing. */
export async function startInferencePlane(options: PlaneOptions): Promise<RunningPlane> {
  const { environment } = options;
  const parts = await assembleParts(options);
  let draining = false;
  try {
    await parts.kit.counter.warmUp();
    const http = await startHttp({
      environment,
      kit: parts.kit,
      metrics: parts.metrics,
      unready: () => explainUnready(draining, parts),
    });
    return {
      name: 'gateway',
      address: http.address,
      async close() {
        draining = true;
        await http.close();
        await parts.close();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

interface Parts {
  readonly kit: Kit;
  readonly metrics: Registry;
  readonly feed: CatalogFeed;
  readonly heartbeat: Heartbeat;
  close(): Promise<void>;
}

/** Everything behind the endpoints: configuration that follows the database, the line to billing, writers, upstreams. */
async function assembleParts({ environment, logger }: PlaneOptions): Promise<Parts> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ENCRYPTION_KEY: encryptionKey } = environment;
  if (databaseUrl === undefined || redisUrl === undefined || encryptionKey === undefined) {
    throw new Error('The gateway needs DATABASE_URL, REDIS_URL and ENCRYPTION_KEY.');
  }
  const standBy = new StandBy({ plane: 'gateway', portVariable: 'GATEWAY_PORT', environment, logger });
  const database = await openDatabase({ url: databaseUrl, ...CONNECTIONS, standBy });
  const tokens = new TokenCache((keyHash) => findCallerToken(database, keyHash));
  const secretKey = deriveSecretKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
  const feed = createFeed(database, secretKey, logger);
  const changes = followChanges(databaseUrl, createChangeReader(feed, tokens, logger));
  await feed.start();
  const wallet = createBillingClient({ redisUrl });
  const owner = nameOwner(environment);
  const heartbeat = new Heartbeat(wallet, owner);
  heartbeat.start();
  const writers = createWriters(database, logger);
  const replies = new IdempotentReplies(database);
  const expiry = setInterval(() => void expireReplies(replies, logger), EXPIRE_REPLIES_EVERY_MS);
  const asking = createAskingParts(environment, encryptionKey);
  const metrics = createMetrics('gateway', environment);
  const catalog = () => feed.current;
  const video = openVideoKit({ environment, database, money: wallet, catalog, logger });
  const bodies = new BodyBudget(environment.BODY_BUDGET_MB * MEBIBYTE);
  const spool = await openSpool(environment, logger);
  const kit: Kit = {
    catalog,
    tokens,
    wallet: onlyWhileHeard(wallet, heartbeat),
    video,
    ...asking,
    ...writers,
    replies,
    ...createFreeCallParts(database),
    metrics: new InferenceMetrics(metrics, readingsOf({ ...writers, bodies, spool })),
    bodies,
    spool,
    owner,
    logger,
  };
  const tests = serveTests(database, { redisUrl, secretKey, kit });
  const report = reportPlane(database, describeGateway(environment), () => ({
    resting: kit.health.listResting().map(toRestingReport),
  }));
  return {
    kit,
    metrics,
    feed,
    heartbeat,
    async close() {
      clearInterval(expiry);
      const { upstream } = asking;
      const { counter } = kit;
      const open = { tests, report, heartbeat, video, changes, feed, counter, upstream, wallet, database };
      await closeGateway({ ...open, ...writers }, logger);
    },
  };
}

function readingsOf({ journal, bodies, spool }: Pick<Kit, 'journal' | 'bodies' | 'spool'>): Readings {
  return {
    pendingJournalRows: () => journal.pending,
    heldBodyBytes: () => bodies.heldBytes,
    spooledBytes: () => spool.heldBytes,
  };
}

/** What upstreams are asked with. */
function createAskingParts(
  { FETCH_MEDIA_URLS: enabled, ALLOW_PRIVATE_URLS: allowPrivate }: Environment,
  encryptionKey: string,
): Pick<Kit, 'installation' | 'upstream' | 'tokenExchange' | 'mediaFetching' | 'health'> {
  const installation = nameInstallation(encryptionKey);
  return {
    installation,
    upstream: new HttpUpstream(installation),
    tokenExchange: new TokenExchange(),
    mediaFetching: { enabled, allowPrivate },
    health: new ChannelHealth(() => performance.now()),
  };
}

/** What calls are made of that cost nothing, and of those whose upstream does not say what they cost. */
function createFreeCallParts(database: DataSource): Pick<Kit, 'account' | 'funds' | 'shares' | 'counter'> {
  const account = new CallerAccount(database);
  return {
    account,
    funds: new Funds((caller) => account.readBalance(caller)),
    shares: new FreeShares(),
    counter: new TokenCounter(),
  };
}

function createChangeReader(feed: CatalogFeed, tokens: TokenCache, logger: Logger): ChangeReader {
  return {
    catalogChanged: () => feed.refresh(),
    tokenChanged: (keyHash) => tokens.forget(keyHash),
    connected: () => {
      feed.refresh();
      tokens.forgetAll();
    },
    failed: (error) => logger.warn({ err: error }, 'configuration changes cannot be followed at the moment'),
  };
}

function createFeed(database: DataSource, key: SecretKey, logger: Logger): CatalogFeed {
  const load = async (version: number): Promise<Catalog> => {
    const { catalog, problems } = await loadCatalog(database, key, version);
    for (const problem of problems) logger.error(problem);
    return catalog;
  };
  return new CatalogFeed(load, (error) =>
    logger.warn({ err: error }, 'the configuration could not be read again'),
  );
}

function serveTests(
  database: DataSource,
  options: { readonly redisUrl: string; readonly secretKey: SecretKey; readonly kit: Kit },
): ChannelTestServer {
  const { redisUrl, secretKey, kit } = options;
  const { tokenExchange: tokens, installation } = kit;
  const findChannel = (id: string) => loadChannel(database, secretKey, id);
  const parts = { findChannel, tokens, installation };
  return serveChannelTests(redisUrl, (id, model) => testChannel(parts, id, model));
}

function createWriters(database: DataSource, logger: Logger) {
  return {
    journal: new BatchWriter<JournalRow>({
      write: (rows) => writeJournal(database, rows),
      maxBatch: MAX_BATCH,
      delayMs: JOURNAL_DELAY_MS,
      onFailure: (error, row) =>
        logger.error({ err: error, request_id: row?.requestId }, 'usage was not written'),
    }),
    requestLog: new BatchWriter<RequestLogRow>({
      write: (rows) => writeRequestLog(database, rows),
      maxBatch: MAX_BATCH,
      delayMs: LOG_DELAY_MS,
      onFailure: (error, row) =>
        logger.warn({ err: error, request_id: row?.requestId }, 'a log row was not written'),
    }),
  };
}

/** A process that billing may have taken for dead opens no hold until it has been heard again. */
function onlyWhileHeard(wallet: BillingClient, heartbeat: Heartbeat): WalletPort {
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

/** A new epoch of the same instance name proves to billing that the earlier process is dead. */
function nameInstance(environment: Environment): string {
  return environment.INSTANCE_ID ?? `${hostname()}:${environment.GATEWAY_PORT}`;
}

function nameOwner(environment: Environment): HoldOwner {
  return { instance: `gateway/${nameInstance(environment)}`, epoch: randomUUID() };
}

function describeGateway(environment: Environment): PlaneFacts {
  return { plane: 'gateway', instance: nameInstance(environment), version: PRODUCT_VERSION };
}

function explainUnready(draining: boolean, { feed, heartbeat, kit }: Parts): string | undefined {
  if (draining) return 'The gateway is draining.';
  if (!feed.loaded) return 'The configuration has not been read yet.';
  if (!heartbeat.alive) return 'Billing does not answer.';
  if (kit.journal.failingMs > UNBILLABLE_AFTER_MS) return 'Usage cannot be written to the database.';
  return undefined;
}

async function expireReplies(replies: IdempotentReplies, logger: Logger): Promise<void> {
  await replies
    .expire()
    .catch((error: unknown) => logger.warn({ err: error }, 'old idempotent replies stay'));
}
