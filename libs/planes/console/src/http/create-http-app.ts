import { type GatewayError, newId, refuse } from '@mg/contract';
import {
  answerClientErrors,
  DRAINING,
  drainConnectionsOnClose,
  type Logger,
  NestLogger,
  NODE_SERVER_OPTIONS,
  protectDocuments,
  refuseUnsafeRequests,
  RouteTable,
} from '@mg/runtime';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkJson } from './check-json.js';
import { ExceptionAnswer } from './exception-filter.js';
import { SchemaPipe } from './schema-pipe.js';

const BODY_LIMIT_BYTES = 1024 * 1024;
const RECEIVE_TIMEOUT_MS = 30_000;
const CLOSE_GRACE_MS = 10_000;

/** The console's HTTP server: JSON only, request ids on every answer, one shape of errors, a prompt close. */
export async function createHttpApp(
  module: DynamicModule,
  logger: Logger,
  trustedProxies: readonly string[],
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    ...DRAINING,
    // What others say of whom they speak for is not believed: everybody could say so.
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: RECEIVE_TIMEOUT_MS,
    genReqId: () => newId(),
    multipart: false,
    http: NODE_SERVER_OPTIONS,
    frameworkErrors: answerBadUrl,
    clientErrorHandler: answerClientErrors((error, requestId) => ({ detail: error.toDetail(requestId) })),
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const routes = new RouteTable();
  routes.watch(fastify);
  addAnswerHeaders(fastify);
  refuseUnsafeRequests(fastify, sendError);
  protectDocuments(fastify);
  takeJsonOnly(fastify);
  drainConnectionsOnClose(fastify, CLOSE_GRACE_MS);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalFilters(new ExceptionAnswer(routes, logger));
  return app;
}

function addAnswerHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    done();
  });
}

/** One parser for one content type; Fastify answers every other with 415. An empty body is no body. */
function takeJsonOnly(fastify: FastifyInstance): void {
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    checkJson(body).then(() => parseJson(request, body.toString('utf8'), done), done);
  });
}

/** A URL that cannot be decoded never reaches a route. */
function answerBadUrl(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  sendError(refuse('invalid_request', 'bad_url'), request, reply);
}

function sendError(error: GatewayError, request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .header('x-request-id', request.id)
    .status(error.status)
    .send({ detail: error.toDetail(request.id) });
}
