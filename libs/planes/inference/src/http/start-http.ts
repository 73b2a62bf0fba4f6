import { newId, type Environment } from '@mg/contract';
import {
  answerClientErrors,
  DEFAULT_PLANE_HOST,
  DRAINING,
  drainConnectionsOnClose,
  explainListenError,
  NestLogger,
  NODE_SERVER_OPTIONS,
  protectDocuments,
  refuseUnsafeRequests,
  type Registry,
  RouteTable,
} from '@mg/runtime';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import { fastify, type FastifyInstance } from 'fastify';
import { InferenceModule } from '../inference.module.js';
import type { Kit } from '../kit.js';
import { allowConsolePage } from './allow-console-page.js';
import { findDialect, nameRequest } from './find-dialect.js';
import { GatewayExceptionFilter } from './gateway-exception.filter.js';
import { buildOpenApiDocument } from './openapi-document.js';
import { registerInferenceRoutes } from './register-inference-routes.js';
import { renderError, sendError, toGatewayError } from './render-error.js';

const VERSION = '0.1.0';

export interface HttpOptions {
  readonly environment: Environment;
  readonly kit: Kit;
  readonly metrics: Registry;
  readonly unready: () => string | undefined;
}

export interface RunningHttp {
  readonly address: string;
  close(): Promise<void>;
}

/** Boots Nest on Fastify with the callers' endpoints beside it. @throws Error naming GATEWAY_PORT when it is in use. */
export async function startHttp(options: HttpOptions): Promise<RunningHttp> {
  const { environment, kit } = options;
  const server = createFastify(kit, environment.TRUSTED_PROXIES);
  const routes = new RouteTable();
  routes.watch(server);
  drainConnectionsOnClose(server, environment.DRAIN_TIMEOUT_SECONDS * 1_000);
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(nameRequest(findDialect(request), request.id));
    done();
  });
  refuseUnsafeRequests(server, sendError, (path) => TASK_POLL.test(path));
  limitStrangers(server, kit);
  protectDocuments(server);
  allowConsolePage(server, environment.CONSOLE_ORIGIN);
  server.register((scope, _options, done) => {
    registerInferenceRoutes(scope, kit);
    done();
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    InferenceModule.with({ environment, metrics: options.metrics, unready: options.unready }),
    new FastifyAdapter(server),
    { bodyParser: false, logger: new NestLogger(kit.logger), abortOnError: false },
  );
  app.useGlobalFilters(new GatewayExceptionFilter(routes, kit.logger));
  SwaggerModule.setup('docs', app, buildOpenApiDocument(VERSION), {
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

/** Polls of video tasks, which answer 502 for every task that is not there, as the specification has it. */
const TASK_POLL = /^\/(?:v1\/video\/generations|videonative\/api\/v3\/contents\/generations\/tasks)\/[^/]+$/;

/** Paths that are asked by what watches over the process: an answer that is kept back would look like an outage. */
const HEALTH = new Set(['/healthz', '/readyz']);

/** What wants no key is shared by address. Whatever has a dialect of errors wants a key and is shared by that. */
function limitStrangers(server: FastifyInstance, { shares, logger }: Kit): void {
  server.addHook('onRequest', async (request, reply) => {
    const { config, url } = request.routeOptions;
    if (config.protocol !== undefined || HEALTH.has(url ?? '')) return undefined;
    try {
      await shares.strangers.count(request.ip);
      return undefined;
    } catch (error) {
      sendError(toGatewayError(error, request, logger), request, reply);
      return reply;
    }
  });
}

function createFastify(kit: Kit, trustedProxies: readonly string[]): FastifyInstance {
  const server = fastify({
    ...DRAINING,
    // What others say of whom they speak for is not believed: everybody could say so.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    logger: false,
    genReqId: () => newId(),
    // Bounds receiving a request; how long an answer takes is the channel's business.
    requestTimeout: 120_000,
    keepAliveTimeout: 75_000,
    http: { ...NODE_SERVER_OPTIONS, headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 256 },
    frameworkErrors: (error, request, reply) => {
      sendError(toGatewayError(error, request, kit.logger), request, reply);
    },
    clientErrorHandler: answerClientErrors((error, requestId) => renderError(error, requestId)),
  });
  // What is sent to a path that is not there is not read, so that its size changes nothing about the answer.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return server;
}
