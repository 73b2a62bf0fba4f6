import { newId, type Environment } from '@mg/contract';
import {
  answerClientErrors,
  DEFAULT_PLANE_HOST,
  DRAINING,
  drainConnectionsOnClose,
  explainListenError,
  type MetricsSource,
  NestLogger,
  NODE_SERVER_OPTIONS,
  PRODUCT_VERSION,
  protectDocuments,
  refuseUnsafeRequests,
  RouteTable,
} from '@mg/runtime';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { taskNotFound } from '../operations/video/show-tasks.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { InferenceModule } from './inference.module.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { routeUpgrades, wantsUpgrade } from '../edge/upgrades.js';
import { LIVE_PATHS, REALTIME_PATH } from '../operations/realtime/session-operation.js';
import { allowConsolePage } from './allow-console-page.js';
import { findDialect, nameRequest } from '../edge/find-dialect.js';
import { GatewayExceptionFilter } from '../edge/gateway-exception.filter.js';
import { writeOpenApiDocument } from '../openapi/write-document.js';
import { registerInferenceRoutes } from './register-inference-routes.js';
import { setLimitHeaders, showLimits } from './show-limits.js';
import { renderError, sendError, toGatewayError } from '../edge/render-error.js';

export interface HttpOptions {
  readonly environment: Environment;
  readonly gateway: VideoGateway;
  readonly metrics: MetricsSource;
  readonly unready: () => string | undefined;
}

export interface RunningHttp {
  readonly address: string;
  close(): Promise<void>;
}

/** Boots Nest on Fastify with the callers' endpoints beside it. @throws Error naming GATEWAY_PORT when it is in use. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { environment, gateway } = options;
  const server = createFastify(gateway, environment.TRUSTED_PROXIES);
  const routes = new RouteTable();
  routes.watch(server);
  serveSessions(server, gateway, environment.DRAIN_TIMEOUT_SECONDS * 1_000);
  drainConnectionsOnClose(server, environment.DRAIN_TIMEOUT_SECONDS * 1_000);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(nameRequest(findDialect(request), request.id));
    done();
  });
  showLimits(server, gateway);
  refuseUnsafeRequests(server, sendError, isTaskPoll);
  limitUnauthenticated(server, gateway);
  protectDocuments(server);
  allowConsolePage(server, environment.CONSOLE_ORIGIN);
  server.register((scope, _options, done) => {
    registerInferenceRoutes(scope, gateway);
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    InferenceModule.with({ environment, metrics: options.metrics, unready: options.unready }),
    new FastifyAdapter(server),
    { bodyParser: false, logger: new NestLogger(gateway.logger), abortOnError: false },
  );
  app.useGlobalFilters(new GatewayExceptionFilter(routes, gateway.logger));
  SwaggerModule.setup('docs', app, writeOpenApiDocument(PRODUCT_VERSION), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
  });

  const host = environment.HOST ?? DEFAULT_PLANE_HOST;
  try {
    await app.listen(environment.GATEWAY_PORT, host);
  } catch (error) {
    await app.close();
    throw explainListenError(error, 'GATEWAY_PORT', environment.GATEWAY_PORT);
  }
  const bound = server.server.address();
  const port = typeof bound === 'object' && bound ? bound.port : environment.GATEWAY_PORT;
  return { address: `http://${host}:${port}`, close: () => app.close() };
}

/** Sessions over WebSockets, which outlive the requests that open them: they end within the same time as those. */
function serveSessions(server: FastifyInstance, { sessions }: GatewayContext, drainMs: number): void {
  routeUpgrades(server, server.server);
  server.addHook('preClose', async () => sessions.drain(drainMs));
}

/** Polls of video tasks, which answer 502 for every task that is not there, as the specification has it. */
const TASK_POLL = /^\/(?:v1\/video\/generations|videonative\/api\/v3\/contents\/generations\/tasks)\/[^/]+$/;

function isTaskPoll(path: string): boolean {
  return TASK_POLL.test(path);
}

/** Paths that speak WebSocket. */
const UPGRADED_PATHS: ReadonlySet<string> = new Set([REALTIME_PATH, ...LIVE_PATHS.values()]);

/** Paths of health checks: a delayed answer would look like an outage. */
const HEALTH = new Set(['/healthz', '/readyz']);

/** What wants no key is shared by address. Whatever has a dialect of errors wants a key and is shared by that. */
function limitUnauthenticated(server: FastifyInstance, { shares, logger }: GatewayContext): void {
  server.addHook('onRequest', (request, reply, done) => {
    const { config, url } = request.routeOptions;
    // Fastify waits for a promise or for the call; a promise for each call that costs money would cost more than the check.
    if (config.protocol !== undefined || HEALTH.has(url ?? '')) return done();
    return countByAddress(request, reply);
  });
  const countByAddress = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      await shares.strangers.count(request.ip);
    } catch (error) {
      sendError(toGatewayError(error, request, logger), request, reply);
    }
  };
}

function createFastify(gateway: GatewayContext, trustedProxies: readonly string[]): FastifyInstance {
  const server = fastify({
    ...DRAINING,
    // Forwarded addresses are trusted from these proxies only.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    logger: false,
    genReqId: () => newId(),
    // Bounds receiving a request; how long an answer takes is the channel's business.
    requestTimeout: 120_000,
    keepAliveTimeout: 75_000,
    http: {
      ...NODE_SERVER_OPTIONS,
      shouldUpgradeCallback: (request) => wantsUpgrade(request, UPGRADED_PATHS),
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
    },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      // No hook has met such a request: its path cannot be decoded, or a part of it is too long.
      reply.headers(nameRequest(findDialect(request), request.id));
      setLimitHeaders(request, reply, gateway);
      const [path = ''] = request.url.split('?', 1);
      const refusal = isTaskPoll(path) ? taskNotFound() : toGatewayError(error, request, gateway.logger);
      sendError(refusal, request, reply);
    },
    clientErrorHandler: answerClientErrors((error, requestId) => renderError(error, requestId)),
  });
  // What is sent to a path that is not there is not read, so that its size changes nothing about the answer.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return server;
}
