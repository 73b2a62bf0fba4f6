import { type CallerToken, GatewayError } from '@mg/contract';
import type { ProtocolName } from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { admit } from '../access/admit.js';
import { CallRecord } from '../call/call-record.js';
import { record as recordCall } from '../call/record.js';
import { runOnce } from '../call/run-once.js';
import { answerChat } from '../chat/chat.js';
import type { ChatRequest } from '../chat/chat-call.js';
import {
  listAnthropicModels,
  listGeminiModels,
  listModels,
  showAnthropicModel,
  showGeminiModel,
  showModel,
} from '../discovery/list-models.js';
import type { Kit } from '../kit.js';
import { CHAT_ENDPOINTS, readGeminiChat, splitGeminiPath } from './chat-endpoints.js';
import { countGeminiTokens, countMessagesTokens } from './count-tokens.js';
import { drainBody } from './drain-body.js';
import { sendError, toGatewayError } from './render-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Dialect of the endpoint's errors. */
    protocol?: ProtocolName;
  }
}

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

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
  for (const { url, protocol, read } of CHAT_ENDPOINTS) {
    serve(scope, url, protocol, { POST: billedChat(url, read, kit) });
  }
  registerModels(scope, kit);
  registerGemini(scope, kit);
  serve(scope, '/v1/messages/count_tokens', 'anthropic-messages', {
    POST: free(kit, (caller, request) => countMessagesTokens(readBody(request), request, caller, kit)),
  });
}

/** Clients of OpenAI's and Anthropic's protocols ask for models at the same paths. */
function registerModels(scope: FastifyInstance, kit: Kit): void {
  serve(scope, '/v1/models', 'openai-chat', {
    GET: free(kit, (caller, request) =>
      isAnthropic(request) ? listAnthropicModels(caller, kit.catalog()) : listModels(caller, kit.catalog()),
    ),
  });
  serve(scope, '/v1/models/*', 'openai-chat', {
    GET: free(kit, (caller, request) => {
      const slug = (request.params as { '*': string })['*'];
      return isAnthropic(request)
        ? showAnthropicModel(caller, kit.catalog(), slug)
        : showModel(caller, kit.catalog(), slug);
    }),
  });
}

function isAnthropic({ headers }: FastifyRequest): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** Google's paths put the method after the model, so one route serves them all. */
function registerGemini(scope: FastifyInstance, kit: Kit): void {
  const generate = billedChat('/v1beta/models/{model}:generateContent', readGeminiChat, kit);
  const stream = billedChat('/v1beta/models/{model}:streamGenerateContent', readGeminiChat, kit);
  const count = free(kit, (caller, request) => countGeminiTokens(readBody(request), request, caller, kit));
  const methods: Readonly<Record<string, Handler>> = {
    generateContent: generate,
    streamGenerateContent: stream,
    countTokens: count,
  };
  serve(scope, '/v1beta/models', 'gemini-generate', {
    GET: free(kit, (caller) => listGeminiModels(caller, kit.catalog())),
  });
  serve(scope, '/v1beta/models/*', 'gemini-generate', {
    GET: free(kit, (caller, request) =>
      showGeminiModel(caller, kit.catalog(), splitGeminiPath(request).model),
    ),
    POST: async (request, reply) => {
      const { method } = splitGeminiPath(request);
      const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (handler) return handler(request, reply);
      throw new GatewayError('not_found', `There is no method ":${method.slice(0, 64)}" for models here.`);
    },
  });
}

/** Registers a path's methods, and answers 405 to every other one. */
function serve(
  scope: FastifyInstance,
  url: string,
  protocol: ProtocolName,
  handlers: Partial<Record<'GET' | 'POST', Handler>>,
): void {
  const config = { protocol };
  const allowed = Object.keys(handlers);
  for (const [method, handler] of Object.entries(handlers)) scope.route({ method, url, config, handler });
  scope.route({
    method: METHODS.filter((method) => !allowed.includes(String(method))),
    url,
    config,
    handler: async (request, reply) => {
      reply.header('allow', allowed.join(', '));
      throw new GatewayError(
        'method_not_allowed',
        `This path takes ${allowed.join(' and ')}, not ${request.method}.`,
      );
    },
  });
}

/** A call that costs nothing and still wants a key. */
function free(kit: Kit, answer: (caller: CallerToken, request: FastifyRequest) => unknown): Handler {
  return async (request) => answer(await admit(request, kit.tokens), request);
}

/** A chat that costs money: admitted, run once by its Idempotency-Key, and written down whatever becomes of it. */
function billedChat(
  endpoint: string,
  read: (request: FastifyRequest, body: Buffer) => ChatRequest,
  kit: Kit,
): Handler {
  return async (request, reply) => {
    const caller = await admit(request, kit.tokens);
    const record = new CallRecord(request.id, endpoint, caller);
    let ran = true;
    kit.metrics.inFlight.inc();
    try {
      const body = readBody(request);
      ran = await runOnce(request, reply, record, kit, (client) =>
        answerChat(read(request, body), record, client, kit),
      );
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
