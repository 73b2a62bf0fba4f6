import {
  type CallerToken,
  type Catalog,
  type Channel,
  DEFAULT_TIMEOUTS,
  type HoldRequest,
  type JournalRow,
  nameInstallation,
  parsePrice,
  type RequestLogRow,
  sha256,
} from '@mg/contract';
import { BatchWriter, UsageJournal } from '@mg/persistence/gateway';
import { AttemptTally, ChannelHealth, ChannelLoad, Hedging, KeyRotation, RetryBudget } from '@mg/routing';
import { createLogger, Registry } from '@mg/runtime';
import { HttpUpstream, TokenExchange } from '@mg/transport';
import { fastify } from 'fastify';
import { BatchLines } from '../access/batch-lines.js';
import { CallsInFlight } from '../access/calls-in-flight.js';
import { FreeShares } from '../access/fair-share.js';
import { TokenCache } from '../access/token-cache.js';
import { ResponseCache } from '../cache/response-cache.js';
import { HeldCalls } from '../call/held-calls.js';
import { InferenceMetrics } from '../call/inference-metrics.js';
import { Allowance, REFUSALS } from '../access/allowance.js';
import { TokenCounter } from '../call/token-counter.js';
import { BodyBudget, SETTLEMENT_BYTES } from '../edge/body-budget.js';
import { OpenSessions } from '../edge/open-sessions.js';
import { routeUpgrades } from '../edge/upgrades.js';
import { registerInferenceRoutes } from '../http/register-inference-routes.js';
import { showLimits } from '../http/show-limits.js';
import { ChatEndpoints } from '../call/chat-endpoints.js';
import { NO_LEASES } from '../leases/leases.js';
import { Limiter } from '../limits/limiter.js';
import { NO_TRACING } from '../trace/call-trace.js';
import type { VideoGateway } from '../operations/video/video-context.js';

const PRICE = { input_per_million: '0.25', output_per_million: '2.00' };
/** Readings of a gateway that holds nothing. */
export const NO_READINGS = {
  pendingJournalRows: () => 0,
  heldBodyBytes: () => 0,
  spooledBytes: () => 0,
  leases: () => 0,
};

/** The endpoints of a gateway on a port of its own, without database, Redis or billing: every hold is granted. */
export interface SmallGateway {
  readonly url: string;
  readonly key: string;
  readonly context: VideoGateway;
  readonly journal: readonly JournalRow[];
  readonly log: readonly RequestLogRow[];
  /** Channels of the one model, `m`; may be changed at any time. */
  channels: Channel[];
  /** Posts JSON to a path with the gateway's key. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

/** @param name tells installations apart: gateways of one name are one installation. */
export async function startSmallGateway(
  name: string,
  parts: Partial<VideoGateway> = {},
): Promise<SmallGateway> {
  const journal: JournalRow[] = [];
  const log: RequestLogRow[] = [];
  const key = `sk-${name.padEnd(16, '0')}`;
  const idle = createIdleParts(nameInstallation(name));
  const upstream = new HttpUpstream(idle.installation);
  const catalog = (): Catalog => ({
    version: 1,
    channelsBySlug: new Map([['m', gateway.channels]]),
    models: new Map([['m', MODEL]]),
  });
  const context = {
    catalog,
    tokens: new TokenCache(async (keyHash) => (keyHash === sha256(key) ? TOKEN : undefined)),
    wallet: {
      openHold: async (request: HoldRequest) => ({ granted: request.wanted }),
      repriceHold: async () => true,
    },
    ...idle,
    upstream,
    mediaFetching: { enabled: false, allowPrivate: false },
    cache: new ResponseCache(1024 * 1024, () => performance.now()),
    health: new ChannelHealth(() => performance.now()),
    load: new ChannelLoad(() => performance.now()),
    retries: new RetryBudget(() => performance.now()),
    journal: collectUsage(journal),
    requestLog: collectLog(log),
    metrics: new InferenceMetrics(new Registry(), NO_READINGS),
    bodies: new BodyBudget(512 * 1024 * 1024),
    owner: { instance: name, epoch: 'e' },
    logger: createLogger({ plane: 'test', level: 'silent' }),
    ...parts,
  } as unknown as VideoGateway;
  const server = fastify({ genReqId: () => crypto.randomUUID(), forceCloseConnections: true });
  routeUpgrades(server, server.server);
  showLimits(server, context);
  registerInferenceRoutes(server, context);
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const gateway: SmallGateway = {
    url,
    key,
    context,
    journal,
    log,
    channels: [],
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async close() {
      await server.close();
      await Promise.all([upstream.close(), idle.counter.close()]);
    },
  };
  return gateway;
}

const refuse = () => Promise.reject(new Error('There is no Redis.'));
/** Limits are those of one gateway alone. */
export const NO_REDIS = {
  ready: false,
  take: refuse,
  report: refuse,
  listen: refuse,
  close: async () => undefined,
};

/** Parts of a gateway that do nothing until they are asked. */
export function createIdleParts(installation: string) {
  return {
    installation,
    counter: new TokenCounter(),
    shares: new FreeShares(),
    batchLines: new BatchLines({ digest: () => '' }),
    attempts: new AttemptTally(),
    inFlight: new CallsInFlight(),
    sessions: new OpenSessions(),
    hedging: new Hedging(),
    tokenExchange: new TokenExchange(),
    chatEndpoints: new ChatEndpoints(),
    keys: new KeyRotation(),
    heldCalls: new HeldCalls(),
    settlements: new BodyBudget(SETTLEMENT_BYTES),
    leases: NO_LEASES,
    limiter: new Limiter(NO_REDIS),
    tracing: NO_TRACING,
    capture: { begin: () => undefined, end: () => undefined },
    refusals: new Allowance(REFUSALS, () => performance.now()),
  };
}

/** A channel that speaks OpenAI's protocol at an address. */
export function makeChannel(name: string, facts: Partial<Channel>): Channel {
  return {
    id: crypto.randomUUID(),
    name,
    type: 'openai-compatible',
    baseUrl: undefined,
    apiKeys: [],
    models: new Map([['m', 'm']]),
    settings: {},
    priority: 0,
    weight: 1,
    timeouts: DEFAULT_TIMEOUTS,
    ...facts,
  } as Channel;
}

const TOKEN = { id: 't', name: 'test', walletId: 'w', userId: 'u', disabled: false } as CallerToken;
const MODEL = {
  slug: 'm',
  kind: 'chat',
  createdAt: 0,
  prices: [{ versionId: 'p1', effectiveFrom: 0, price: parsePrice(PRICE) }],
} as unknown as Catalog['models'] extends ReadonlyMap<string, infer Model> ? Model : never;

/** A log that is written into a list. */
export function collectLog(rows: RequestLogRow[]): BatchWriter<RequestLogRow> {
  return new BatchWriter<RequestLogRow>({
    write: async (batch) => void rows.push(...batch),
    maxBatch: 100,
    delayMs: 0,
    onFailure: () => {},
  });
}

/**
 * A journal that is written into a list.
 *
 * @param spool keeps every row, unless another one is given.
 * @param wait is waited for before rows are written.
 */
export function collectUsage(
  rows: JournalRow[],
  spool: Partial<ConstructorParameters<typeof UsageJournal>[0]['spool']> = {},
  wait: () => Promise<void> = async () => undefined,
): UsageJournal {
  return new UsageJournal({
    write: async (batch) => {
      await wait();
      rows.push(...batch);
    },
    spool: { append: () => true, drop: () => {}, has: () => true, ...spool },
    maxBatch: 100,
    delayMs: 0,
    onFailure: () => {},
    setAside: async () => {},
  });
}
