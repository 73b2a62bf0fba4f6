import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { CHAT_ENDPOINTS } from './chat-endpoints.js';
import { registerAccount } from './account-endpoints.js';
import { registerTranscriptions } from './audio-endpoints.js';
import { countMessagesTokens } from './count-tokens.js';
import { drainBody } from './drain-body.js';
import { registerExchanges } from './exchange-endpoints.js';
import { findClientProtocol, findModelsDialect } from './find-dialect.js';
import { callModel, registerGoogle } from './google-endpoints.js';
import { registerImages } from './image-endpoints.js';
import { refuseRepeatedHeaders } from './refuse-repeated-headers.js';
import { sendError, toGatewayError } from './render-error.js';
import { registerVideoRoutes } from '../video/register-video-routes.js';
import { billedJson, free, freeWithBody, type Handler, serve } from './serve-route.js';

/**
 * The endpoints that callers use, as plain Fastify routes: this is the hot path, and Nest's pipeline around each
 * call would cost more than the call. Bodies are read by the endpoints themselves, once they know who is calling.
 */
export function registerInferenceRoutes(scope: FastifyInstance, kit: Kit): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.addHook('onRequest', refuseRepeatedHeaders);
  scope.setErrorHandler(async (error, request, reply) => {
    const shown = toGatewayError(error, request, kit.logger);
    await drainBody(request, reply);
    sendError(shown, request, reply);
    return reply;
  });
  for (const { url, protocol, read } of CHAT_ENDPOINTS) {
    serve(scope, url, protocol, { POST: billedChat(url, read, kit) });
  }
  registerVideoRoutes(scope, kit);
  registerExchanges(scope, kit);
  registerImages(scope, kit);
  registerTranscriptions(scope, kit);
  registerModels(scope, kit);
  registerAccount(scope, kit);
  registerGoogle(scope, kit);
  serve(scope, '/v1/messages/count_tokens', 'anthropic-messages', {
    POST: freeWithBody(kit, countMessagesTokens),
  });
}

const LIST_MODELS = {
  'openai-chat': listModels,
  'anthropic-messages': listAnthropicModels,
  'gemini-generate': listGeminiModels,
} as const;

const SHOW_MODEL = {
  'openai-chat': showModel,
  'anthropic-messages': showAnthropicModel,
  'gemini-generate': showGeminiModel,
} as const;

/** Clients of three protocols ask for models at the same paths, and those of Google's call the models there. */
function registerModels(scope: FastifyInstance, kit: Kit): void {
  serve(scope, '/v1/models', findClientProtocol, {
    GET: free(kit, (caller, request) => LIST_MODELS[findClientProtocol(request)](caller, kit.catalog())),
  });
  serve(scope, '/v1/models/*', findModelsDialect, {
    GET: free(kit, (caller, request) => {
      const slug = (request.params as { '*': string })['*'];
      return SHOW_MODEL[findClientProtocol(request)](caller, kit.catalog(), slug);
    }),
    POST: callModel('v1', kit),
  });
}

/** A chat: read only once its caller is admitted and its Idempotency-Key is its own. */
function billedChat(
  endpoint: string,
  read: (request: FastifyRequest, body: Buffer) => ChatRequest,
  kit: Kit,
): Handler {
  return billedJson(
    endpoint,
    ({ request, body, record, client, lease }) =>
      answerChat({ ...read(request, body), lease }, record, client, kit),
    kit,
  );
}
