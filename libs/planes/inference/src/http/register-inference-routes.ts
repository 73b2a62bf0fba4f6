import { GatewayError } from '@mg/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { admit } from '../access/admit.js';
import { CallRecord } from '../call/call-record.js';
import { record as recordCall } from '../call/record.js';
import { runOnce } from '../call/run-once.js';
import { answerChat } from '../chat/chat.js';
import { listModels, showModel } from '../discovery/list-models.js';
import type { Kit } from '../kit.js';
import type { ClientConnection } from './client-connection.js';
import { drainBody } from './drain-body.js';
import { sendError, toGatewayError } from './render-error.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
type BilledAnswer = (body: Buffer, record: CallRecord, client: ClientConnection, kit: Kit) => Promise<void>;

/**
 * The endpoints that callers use, as plain Fastify routes: this is the hot path, and Nest's pipeline around each
 * call would cost more than the call. Bodies arrive as raw bytes.
 */
export function registerInferenceRoutes(scope: FastifyInstance, kit: Kit): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  scope.setErrorHandler(async (error, request, reply) => {
    const shown = toGatewayError(error, request, kit.logger);
    if (shown.code === 'request_too_large') await drainBody(request);
    sendError(shown, request, reply);
    return reply;
  });
  serve(scope, 'POST', '/v1/chat/completions', billed('/v1/chat/completions', answerChat, kit));
  serve(scope, 'GET', '/v1/models', async (request) =>
    listModels(await admit(request, kit.tokens), kit.catalog()),
  );
  serve(scope, 'GET', '/v1/models/*', async (request) => {
    const slug = (request.params as { '*': string })['*'];
    return showModel(await admit(request, kit.tokens), kit.catalog(), slug);
  });
}

/** Registers a route, and answers 405 to every other method on its path. */
function serve(scope: FastifyInstance, method: HTTPMethods, url: string, handler: Handler): void {
  scope.route({ method, url, handler });
  scope.route({
    method: METHODS.filter((other) => other !== method),
    url,
    handler: async (request, reply) => {
      reply.header('allow', method);
      throw new GatewayError('method_not_allowed', `${url} takes ${method}, not ${request.method}.`);
    },
  });
}

/** A call that costs money: admitted, run once by its Idempotency-Key, and written down whatever becomes of it. */
function billed(endpoint: string, answer: BilledAnswer, kit: Kit): Handler {
  return async (request, reply) => {
    const caller = await admit(request, kit.tokens);
    const record = new CallRecord(request.id, endpoint, caller);
    let ran = true;
    kit.metrics.inFlight.inc();
    try {
      const body = readBody(request);
      ran = await runOnce(request, reply, record, kit, (client) => answer(body, record, client, kit));
    } catch (error) {
      const shown = toGatewayError(error, request, kit.logger);
      record.status = shown.status;
      record.errorCode = shown.code;
      record.reason = record.attempts.length > 0 ? 'upstream_failed' : 'refused';
      throw shown;
    } finally {
      kit.metrics.inFlight.dec();
      if (ran) recordCall(record, kit);
    }
    return reply;
  };
}

function readBody(request: FastifyRequest): Buffer {
  if (Buffer.isBuffer(request.body)) return request.body;
  throw new GatewayError('invalid_request', 'A JSON body is needed.', { param: 'body' });
}
