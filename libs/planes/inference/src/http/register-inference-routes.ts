import { GatewayError } from '@mg/contract';
import { readGeminiEmbedding, readGeminiEmbeddings, readGeminiImages } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerChat } from '../chat/chat.js';
import { answerExchange } from '../exchange/exchange.js';
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
import { registerAccount } from './account-endpoints.js';
import { registerTranscriptions } from './audio-endpoints.js';
import { countGeminiTokens, countMessagesTokens } from './count-tokens.js';
import { drainBody } from './drain-body.js';
import { billedExchange, registerExchanges } from './exchange-endpoints.js';
import { registerImages } from './image-endpoints.js';
import { sendError, toGatewayError } from './render-error.js';
import { registerVideoRoutes } from '../video/register-video-routes.js';
import { billedJson, free, freeWithBody, type Handler, isStrict, serve } from './serve-route.js';

/**
 * The endpoints that callers use, as plain Fastify routes: this is the hot path, and Nest's pipeline around each
 * call would cost more than the call. Bodies are read by the endpoints themselves, once they know who is calling.
 */
export function registerInferenceRoutes(scope: FastifyInstance, kit: Kit): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
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
  registerGemini(scope, kit);
  serve(scope, '/v1/messages/count_tokens', 'anthropic-messages', {
    POST: freeWithBody(kit, countMessagesTokens),
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
  const generate = billedGenerate('/v1beta/models/{model}:generateContent', kit);
  const stream = billedGenerate('/v1beta/models/{model}:streamGenerateContent', kit);
  const count = freeWithBody(kit, countGeminiTokens);
  const methods: Readonly<Record<string, Handler>> = {
    generateContent: generate,
    streamGenerateContent: stream,
    countTokens: count,
    embedContent: billedExchange(
      '/v1beta/models/{model}:embedContent',
      (request, body) => readGeminiEmbedding(body, splitGeminiPath(request).model),
      kit,
    ),
    batchEmbedContents: billedExchange(
      '/v1beta/models/{model}:batchEmbedContents',
      (request, body) => readGeminiEmbeddings(body, splitGeminiPath(request).model),
      kit,
    ),
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

/** Google's clients ask for chats and for pictures at one path: what the model is says which. */
function billedGenerate(endpoint: string, kit: Kit): Handler {
  return billedJson(
    endpoint,
    ({ request, body, record, client, lease }) => {
      const chat = readGeminiChat(request, body);
      const { model, stream } = chat.envelope;
      if (kit.catalog().models.get(model)?.kind !== 'image') {
        return answerChat({ ...chat, lease }, record, client, kit);
      }
      const exchange = readGeminiImages(body, { model, stream, framing: chat.framing });
      return answerExchange({ exchange, strict: isStrict(request), lease }, record, client, kit);
    },
    kit,
  );
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
