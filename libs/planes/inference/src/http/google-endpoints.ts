import { GatewayError } from '@mg/contract';
import { countParts, readCachedContentId, readGeminiImages, runInSlices } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { billed } from '../call/billed-call.js';
import type { Handler } from '../call/tracked-call.js';
import { free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import type { BilledEndpoint, OpenedCall, OpeningCall } from '../call/operation.js';
import { needJson } from '../call/receive.js';
import { resolveModel } from '../call/resolve-model.js';
import { listGeminiModels, showGeminiModel } from '../discovery/list-models.js';
import { splitGeminiPath } from '../edge/gemini-path.js';
import { isLarge, nextTurn } from '../edge/loop-turns.js';
import { createGoogleBatch, type GoogleBatchMethod } from '../operations/batches/google-batch.js';
import { goOnFromCached } from '../operations/cached-content/find-cached-prefix.js';
import { ChatOperation } from '../operations/chat/chat-operation.js';
import type { ChatRequest } from '../operations/chat/chat-request.js';
import { inlineStoredFiles } from '../call/inline-stored-files.js';
import { readGeminiChat } from '../operations/chat/read-gemini-chat.js';
import { countGeminiTokens } from '../operations/count-tokens/count-tokens.js';
import { geminiEmbedding, geminiEmbeddings } from '../operations/embeddings/embeddings.js';
import { ExchangeOperation } from '../operations/exchange/exchange-operation.js';
import { registerCachedContents } from './cached-content-endpoints.js';
import { registerGoogleFiles } from './google-file-endpoints.js';
import { live } from '../operations/realtime/live-endpoint.js';
import { LIVE_PATHS } from '../operations/realtime/session-operation.js';
import { serve } from './serve-route.js';

/** Versions of Google's API that its SDKs ask for; what is served is the same. */
export type GoogleVersion = 'v1' | 'v1beta';

const MAX_BATCH_BYTES = 20 * 1024 * 1024;

const MODEL_METHODS: ReadonlySet<string> = new Set([
  'generateContent',
  'streamGenerateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
  'batchGenerateContent',
  'asyncBatchEmbedContent',
]);

/** Google's paths under `/v1beta`. Those under `/v1` are shared with other clients' lists of models. */
export function registerGoogle(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, '/v1beta/models', 'gemini-generate', {
    GET: free(gateway, (caller) => listGeminiModels(caller, gateway.catalog())),
  });
  serve(
    scope,
    '/v1beta/models/*',
    'gemini-generate',
    {
      GET: free(gateway, (caller, request) =>
        showGeminiModel(caller, gateway.catalog(), (request.params as { '*': string })['*']),
      ),
      POST: callModel('v1beta', gateway),
    },
    takesOfModel,
  );
  registerCachedContents(scope, gateway);
  registerGoogleFiles(scope, gateway);
}

/** Sessions of the Live API. */
export function registerLive(scope: FastifyInstance, gateway: GatewayContext): void {
  for (const [version, path] of LIVE_PATHS) {
    serve(scope, path, 'gemini-generate', { GET: live(path, version, gateway) });
  }
}

/** What a path behind `models/` takes: one route serves models, whose names may hold colons, and their methods. */
export function takesOfModel(request: FastifyRequest): readonly string[] {
  return MODEL_METHODS.has(splitGeminiPath(request).method) ? ['POST'] : ['GET'];
}

/** A POST to `models/{model}:{method}`: Google's paths put the method after the model, so one route serves them all. */
export function callModel(version: GoogleVersion, gateway: GatewayContext): Handler {
  const name = (method: string) => `/${version}/models/{model}:${method}`;
  const methods: Readonly<Record<string, Handler>> = {
    generateContent: billed(generateContent(name('generateContent')), gateway),
    streamGenerateContent: billed(generateContent(name('streamGenerateContent')), gateway),
    countTokens: freeWithBody(gateway, countGeminiTokens(name('countTokens'))),
    embedContent: billed(geminiEmbedding(name('embedContent')), gateway),
    batchEmbedContents: billed(geminiEmbeddings(name('batchEmbedContents')), gateway),
    batchGenerateContent: orderBatch('generateContent', gateway),
    asyncBatchEmbedContent: orderBatch('embedContent', gateway),
  };
  return async (request, reply) => {
    const { method } = splitGeminiPath(request);
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler) return handler(request, reply);
    throw new GatewayError('not_found', `There is no method ":${method.slice(0, 64)}" for models here.`);
  };
}

/** The body of a batch holds its requests. */
function orderBatch(method: GoogleBatchMethod, gateway: GatewayContext): Handler {
  return freeWithBody(gateway, createGoogleBatch(method), MAX_BATCH_BYTES);
}

/** A cached content is one of ours, of a chat model: what else a name stands for in the account of a channel is not the caller's. */
function refuseCached(use: string): GatewayError {
  return new GatewayError('invalid_request', `cachedContent cannot ${use}.`, { param: 'cachedContent' });
}

/** Google's clients ask for chats and for images at one path: the kind of the model decides which. */
function generateContent(path: string): BilledEndpoint {
  return {
    path,
    dialect: 'gemini-generate',
    open(received, request, gateway, call) {
      const chat = readGeminiChat(request, needJson(received));
      const { protocol, envelope, body } = chat;
      const asked = { body, parsed: envelope.parsed, files: protocol.files };
      const inlined = inlineStoredFiles(asked, request, call, gateway);
      if (inlined) {
        return inlined.then((whole) => openGenerate(readGeminiChat(request, whole), request, gateway, call));
      }
      const open = () => openGenerate(chat, request, gateway, call);
      // Looking for files in thousands of parts has taken milliseconds, and so will what they may use.
      return isLarge(body.length, countParts(body)) ? nextTurn().then(open) : open();
    },
  };
}

/** @param chat what is asked, with all content in it. */
function openGenerate(
  chat: ChatRequest,
  request: FastifyRequest,
  gateway: GatewayContext,
  { caller }: OpeningCall,
): OpenedCall | Promise<OpenedCall> {
  const { framing, envelope, body } = chat;
  const { model, stream } = envelope;
  const cachedId = readCachedContentId(envelope.parsed);
  if (resolveModel(gateway.catalog(), model, 'image')?.kind !== 'image') {
    if (cachedId === undefined) return new ChatOperation(chat, gateway);
    return goOnFromCached(chat, cachedId, caller, gateway).then((going) => new ChatOperation(going, gateway));
  }
  if (cachedId !== undefined) throw refuseCached('be used with a model that makes images');
  const reading = readGeminiImages(body, { model, stream, framing });
  return runInSlices(reading, nextTurn).then((exchange) => new ExchangeOperation(exchange, request, gateway));
}
