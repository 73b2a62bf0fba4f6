import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { billed } from '../call/billed-call.js';
import { free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import type { BilledEndpoint } from '../call/operation.js';
import {
  listAnthropicModels,
  listGeminiModels,
  listModels,
  showAnthropicModel,
  showGeminiModel,
  showModel,
} from '../discovery/list-models.js';
import { drainBody } from '../edge/drain-body.js';
import { findClientProtocol, findModelsDialect } from '../edge/find-dialect.js';
import { whenThereIsRoom } from '../edge/loop-turns.js';
import { refuseRepeatedHeaders } from '../edge/refuse-repeated-headers.js';
import { refuseUnknownSwitches } from '../edge/refuse-unknown-switches.js';
import { sendError, toGatewayError } from '../edge/render-error.js';
import { SPEECH } from '../operations/audio/speech.js';
import { TRANSCRIPTIONS, TRANSLATIONS } from '../operations/audio/transcription.js';
import { CHAT_ENDPOINTS } from '../operations/chat/endpoints.js';
import { COMPACT } from '../operations/compact/compact.js';
import { takeTriggers } from '../operations/compact/take-triggers.js';
import { countMessagesTokens } from '../operations/count-tokens/count-tokens.js';
import { EMBEDDINGS } from '../operations/embeddings/embeddings.js';
import { IMAGE_EDITS, IMAGE_GENERATIONS, IMAGE_VARIATIONS } from '../operations/images/images.js';
import { IMAGE_PATH } from '../images/image-links.js';
import { serveImage } from '../operations/images/serve-image.js';
import { realtime } from '../operations/realtime/realtime-endpoint.js';
import { REALTIME_PATH } from '../operations/realtime/session-operation.js';
import { MODERATIONS } from '../operations/moderation/moderation.js';
import { RERANK } from '../operations/rerank/rerank.js';
import type { VideoGateway } from '../operations/video/video-context.js';
import { registerAccount } from './account-endpoints.js';
import { registerBatches } from './batch-endpoints.js';
import { registerMessageBatches } from './message-batch-endpoints.js';
import { registerFiles } from './file-endpoints.js';
import { registerGoogleBatches } from './google-batch-endpoints.js';
import { callModel, takesOfModel, registerGoogle, registerLive } from './google-endpoints.js';
import { registerConversations } from './conversation-endpoints.js';
import { registerResponses } from './response-endpoints.js';
import { serve } from './serve-route.js';
import { registerUploads } from './upload-endpoints.js';
import { registerVideoRoutes } from './video-endpoints.js';

/** Where clients look whether there is anybody at all: Claude Code before its first call. */
const GREETINGS = ['/', '/api/hello'];

/** Calls that cost money, at a path of their own. Google's and those for videos are bound in files of their own. */
const BILLED_ENDPOINTS: readonly BilledEndpoint[] = [
  ...CHAT_ENDPOINTS.map(takeTriggers),
  COMPACT,
  EMBEDDINGS,
  IMAGE_GENERATIONS,
  IMAGE_EDITS,
  IMAGE_VARIATIONS,
  SPEECH,
  TRANSCRIPTIONS,
  TRANSLATIONS,
  MODERATIONS,
  RERANK,
];

/**
 * The endpoints that callers use, as plain Fastify routes: this is the hot path, and Nest's pipeline around each
 * call would cost more than the call. Bodies are read by the endpoints themselves, once they know who is calling.
 */
export function registerInferenceRoutes(scope: FastifyInstance, gateway: VideoGateway): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.addHook('onRequest', waitToBegin);
  scope.addHook('onRequest', refuseRepeatedHeaders);
  scope.addHook('onRequest', refuseUnknownSwitches);
  scope.setErrorHandler(async (error, request, reply) => {
    const shown = toGatewayError(error, request, gateway.logger);
    await drainBody(request, reply);
    sendError(shown, request, reply);
    return reply;
  });
  for (const endpoint of BILLED_ENDPOINTS) {
    serve(scope, endpoint.path, endpoint.dialect, { POST: billed(endpoint, gateway) });
  }
  serve(scope, REALTIME_PATH, 'openai-chat', { GET: realtime(gateway) });
  registerVideoRoutes(scope, gateway);
  serve(scope, `${IMAGE_PATH}/:name`, 'openai-chat', {
    GET: (request, reply) => serveImage(request, reply, gateway),
  });
  registerModels(scope, gateway);
  registerAccount(scope, gateway);
  const greet = async ({ ip }: FastifyRequest) => {
    await gateway.shares.strangers.count(ip);
    return { status: 'ok' };
  };
  for (const path of GREETINGS) serve(scope, path, 'openai-chat', { GET: greet });
  registerGoogle(scope, gateway);
  registerLive(scope, gateway);
  registerResponses(scope, gateway);
  registerConversations(scope, gateway);
  registerFiles(scope, gateway);
  registerUploads(scope, gateway);
  registerBatches(scope, gateway);
  registerMessageBatches(scope, gateway);
  registerGoogleBatches(scope, gateway);
  serve(scope, '/v1/messages/count_tokens', 'anthropic-messages', {
    POST: freeWithBody(gateway, countMessagesTokens),
  });
}

const waitToBegin: onRequestHookHandler = (_request, _reply, done) => whenThereIsRoom(done);

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
function registerModels(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, '/v1/models', findClientProtocol, {
    GET: free(gateway, (caller, request) =>
      LIST_MODELS[findClientProtocol(request)](caller, gateway.catalog()),
    ),
  });
  serve(
    scope,
    '/v1/models/*',
    findModelsDialect,
    {
      GET: free(gateway, (caller, request) => {
        const slug = (request.params as { '*': string })['*'];
        return SHOW_MODEL[findClientProtocol(request)](caller, gateway.catalog(), slug);
      }),
      POST: callModel('v1', gateway),
    },
    takesOfModel,
  );
}
