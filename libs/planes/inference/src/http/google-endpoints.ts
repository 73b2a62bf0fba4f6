import { GatewayError } from '@mg/contract';
import { readGeminiEmbedding, readGeminiEmbeddings, readGeminiImages } from '@mg/protocols';
import type { FastifyInstance } from 'fastify';
import { answerChat } from '../chat/chat.js';
import { listGeminiModels, showGeminiModel } from '../discovery/list-models.js';
import { answerExchange } from '../exchange/exchange.js';
import type { Kit } from '../kit.js';
import { readGeminiChat, splitGeminiPath } from './chat-endpoints.js';
import { countGeminiTokens } from './count-tokens.js';
import { billedExchange } from './exchange-endpoints.js';
import { billedJson, free, freeWithBody, type Handler, isStrict, serve } from './serve-route.js';

/** Versions of Google's API that its SDKs ask for; what is served is the same. */
export type GoogleVersion = 'v1' | 'v1beta';

/** Google's paths under `/v1beta`. Those under `/v1` are shared with other clients' lists of models. */
export function registerGoogle(scope: FastifyInstance, kit: Kit): void {
  serve(scope, '/v1beta/models', 'gemini-generate', {
    GET: free(kit, (caller) => listGeminiModels(caller, kit.catalog())),
  });
  serve(scope, '/v1beta/models/*', 'gemini-generate', {
    GET: free(kit, (caller, request) =>
      showGeminiModel(caller, kit.catalog(), (request.params as { '*': string })['*']),
    ),
    POST: callModel('v1beta', kit),
  });
}

/** A POST to `models/{model}:{method}`: Google's paths put the method after the model, so one route serves them all. */
export function callModel(version: GoogleVersion, kit: Kit): Handler {
  const name = (method: string) => `/${version}/models/{model}:${method}`;
  const methods: Readonly<Record<string, Handler>> = {
    generateContent: billedGenerate(name('generateContent'), kit),
    streamGenerateContent: billedGenerate(name('streamGenerateContent'), kit),
    countTokens: freeWithBody(kit, countGeminiTokens(name('countTokens'))),
    embedContent: billedExchange(
      name('embedContent'),
      (request, body) => readGeminiEmbedding(body, splitGeminiPath(request).model),
      kit,
    ),
    batchEmbedContents: billedExchange(
      name('batchEmbedContents'),
      (request, body) => readGeminiEmbeddings(body, splitGeminiPath(request).model),
      kit,
    ),
  };
  return async (request, reply) => {
    const { method } = splitGeminiPath(request);
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler) return handler(request, reply);
    throw new GatewayError('not_found', `There is no method ":${method.slice(0, 64)}" for models here.`);
  };
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
