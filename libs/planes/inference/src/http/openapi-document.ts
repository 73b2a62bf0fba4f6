import type { ErrorCode } from '@mg/contract';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeVideoPaths, VIDEO_SCHEMAS } from '../video/openapi-video.js';
import { CALL_HEADERS, declareFailures, errorResponses, ref } from './openapi-parts.js';
import { integer, type Schema, SCHEMAS, text } from './openapi-schemas.js';

const CHAT_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_balance',
  'model_not_allowed',
  'model_not_found',
  'idempotency_conflict',
  'request_too_large',
  'unsupported_media_type',
  'quota_exceeded',
  'upstream_error',
  'upstream_unavailable',
];

/** The description of the gateway plane for people and tools, served at `/openapi.json` and drawn at `/docs`. */
export function buildOpenApiDocument(version: string): OpenAPIObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Model Gateway',
      version,
      description:
        'One door to every model provider. Point an official SDK here by base URL and API key; nothing else changes.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKeyHeader: [] }, { googleKeyHeader: [] }, { keyQuery: [] }],
    paths: declareFailures({
      '/v1/chat/completions': { post: chatOperation() },
      '/v1/messages': { post: protocolOperation("Anthropic's messages", 'MessagesRequest') },
      '/v1/messages/count_tokens': { post: countOperation('MessagesRequest') },
      '/v1/responses': {
        post: protocolOperation("OpenAI's Responses, without stored state", 'ResponsesRequest'),
      },
      '/v1/completions': {
        post: protocolOperation("OpenAI's legacy text completions", 'CompletionRequest'),
      },
      ...describeGooglePaths('/v1beta'),
      ...describeGooglePaths('/v1'),
      '/v1/embeddings': {
        post: protocolOperation('Embeddings', 'EmbeddingRequest', false),
      },
      '/v1/images/generations': { post: protocolOperation('Pictures', 'ImageRequest') },
      '/v1/images/edits': { post: editOperation() },
      '/v1/audio/transcriptions': { post: formOperation('Speech to text', 'TranscriptionForm') },
      '/v1/audio/translations': { post: formOperation('Speech to English text', 'TranscriptionForm') },
      '/v1/audio/speech': { post: protocolOperation('Text to speech', 'SpeechRequest') },
      '/v1/moderations': { post: protocolOperation('Moderation of texts', 'ModerationRequest', false) },
      '/v1/rerank': {
        post: protocolOperation('Documents in the order of relevance', 'RerankRequest', false),
      },
      ...describeVideoPaths(),
      '/v1/usage': { get: usageOperation() },
      ...describeBilling('/v1/dashboard/billing'),
      ...describeBilling('/dashboard/billing'),
      '/healthz': { get: openOperation('Whether the process is alive.') },
      '/readyz': {
        get: openOperation('Whether calls can be served.', {
          503: { description: 'Not while starting, draining or cut off from what is needed.' },
        }),
      },
      '/metrics': {
        get: openOperation(
          'Metrics in the Prometheus text format, when METRICS_ENABLED is on.',
          errorResponses(['unauthenticated', 'not_found']),
        ),
      },
    }),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer sk-...' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        googleKeyHeader: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
        keyQuery: { type: 'apiKey', in: 'query', name: 'key' },
      },
      schemas: { ...SCHEMAS, ...VIDEO_SCHEMAS },
    },
  } as unknown as OpenAPIObject;
}

const ANSWER_HEADERS: Schema = {
  'x-request-id': { schema: text },
  'x-gateway-cost': { schema: text, description: 'USD, decimal; not on streams.' },
  'x-gateway-latency-ms': { schema: integer, description: 'Not on streams.' },
  'x-gateway-dropped': {
    schema: text,
    description: 'Hints that the channel could not carry, as `seed,top_k`.',
  },
};

const MODEL_IN_PATH = { name: 'model', in: 'path', required: true, schema: text };

/** Google's protocol, the same under both of its versions; under `/v1` other clients ask for models at the same paths. */
function describeGooglePaths(version: '/v1' | '/v1beta'): Record<string, Schema> {
  const models = `${version}/models`;
  return {
    [models]: { get: listOperation() },
    [`${models}/{model}`]: { get: showOperation() },
    [`${models}/{model}:generateContent`]: { post: generateOperation(true) },
    [`${models}/{model}:streamGenerateContent`]: { post: generateOperation(false) },
    [`${models}/{model}:countTokens`]: {
      post: { ...countOperation('GenerateContentRequest'), parameters: [MODEL_IN_PATH] },
    },
    [`${models}/{model}:embedContent`]: { post: embedOperation() },
    [`${models}/{model}:batchEmbedContents`]: { post: embedOperation() },
  };
}

/** A call in a protocol whose answers and streams are that protocol's own. */
function protocolOperation(summary: string, schema: string, streams = true): Schema {
  return {
    summary,
    parameters: CALL_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: ref(schema) } } },
    responses: {
      200: {
        description: 'The answer in this protocol, or its event stream.',
        headers: ANSWER_HEADERS,
        content: {
          'application/json': { schema: { type: 'object', additionalProperties: true } },
          ...(streams ? { 'text/event-stream': { schema: text } } : {}),
        },
      },
      ...errorResponses(CHAT_ERRORS),
    },
  };
}

const SPAN: readonly Schema[] = ['from', 'to'].map((name) => ({
  name,
  in: 'query',
  schema: text,
  description: 'A day such as 2027-01-31, a moment, or seconds since the epoch.',
}));

function usageOperation(): Schema {
  return {
    summary: 'What this API key has used and may still spend; free',
    parameters: [
      ...SPAN,
      { name: 'group_by', in: 'query', schema: { ...text, enum: ['day', 'model'], default: 'day' } },
    ],
    responses: {
      200: { description: 'Sums, with amounts in USD as decimal strings.' },
      ...errorResponses(['invalid_request', 'invalid_api_key', 'service_unavailable']),
    },
  };
}

/** Where clients of OpenAI's old billing API look, with and without the version. */
function describeBilling(prefix: string): Record<string, Schema> {
  return {
    [`${prefix}/subscription`]: { get: billingOperation('Limits of the API key, in USD') },
    [`${prefix}/usage`]: {
      get: {
        ...billingOperation('What the API key has spent, in US cents'),
        parameters: ['start_date', 'end_date'].map((name) => ({ name, in: 'query', schema: text })),
      },
    },
    [`${prefix}/credit_grants`]: { get: billingOperation('What is left, in USD') },
  };
}

/** What clients of OpenAI's old billing API ask. */
function billingOperation(summary: string): Schema {
  return {
    summary,
    responses: {
      200: { description: 'The figures.' },
      ...errorResponses(['invalid_request', 'invalid_api_key', 'service_unavailable']),
    },
  };
}

function generateOperation(mayStream: boolean): Schema {
  const operation = protocolOperation("Google's generateContent", 'GenerateContentRequest');
  const query = mayStream
    ? { name: 'stream', in: 'query', schema: { type: 'boolean' }, description: 'Stream the answer.' }
    : {
        name: 'alt',
        in: 'query',
        schema: { ...text, enum: ['sse'] },
        description: 'Events instead of an array.',
      };
  return { ...operation, parameters: [MODEL_IN_PATH, query, ...CALL_HEADERS] };
}

/** A call with files, in OpenAI's dialect. */
function formOperation(summary: string, schema: string): Schema {
  return {
    ...protocolOperation(summary, schema),
    requestBody: { required: true, content: { 'multipart/form-data': { schema: ref(schema) } } },
  };
}

function editOperation(): Schema {
  const content = {
    'multipart/form-data': { schema: ref('ImageEditForm') },
    'application/json': { schema: ref('ImageEditRequest') },
  };
  return {
    ...formOperation('Pictures made of pictures', 'ImageEditForm'),
    requestBody: { required: true, content },
  };
}

function embedOperation(): Schema {
  return {
    ...protocolOperation("Google's embeddings", 'EmbedContentRequest', false),
    parameters: [MODEL_IN_PATH, ...CALL_HEADERS],
  };
}

function countOperation(schema: string): Schema {
  return {
    summary: "Tokens of a prompt: the provider's own count, or a tokenizer's; free",
    requestBody: { required: true, content: { 'application/json': { schema: ref(schema) } } },
    responses: {
      200: {
        description: 'The count.',
        headers: {
          'x-gateway-estimated': {
            schema: { ...text, enum: ['true'] },
            description: 'Present where a tokenizer counted: no channel of this protocol could be asked.',
          },
        },
      },
      ...errorResponses(['invalid_request', 'invalid_api_key', 'model_not_allowed', 'model_not_found']),
    },
  };
}

function chatOperation(): Schema {
  return {
    summary: 'Chat completion',
    description: 'Fields beyond those shown pass through to a channel of the same protocol unread.',
    parameters: CALL_HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('ChatCompletionRequest') } },
    },
    responses: {
      200: {
        description: 'The completion, or a stream of server-sent events when `stream` is true.',
        headers: ANSWER_HEADERS,
        content: {
          'application/json': { schema: ref('ChatCompletion') },
          'text/event-stream': { schema: text },
        },
      },
      ...errorResponses(CHAT_ERRORS),
    },
  };
}

function listOperation(): Schema {
  return {
    summary: 'Models this API key may use',
    description:
      "In OpenAI's shape; under /v1 in Google's for a key in x-goog-api-key or ?key=, in Anthropic's with anthropic-version.",
    responses: { 200: { description: 'The models.' }, ...errorResponses(['invalid_api_key']) },
  };
}

function showOperation(): Schema {
  return {
    summary: 'One model',
    parameters: [{ name: 'model', in: 'path', required: true, schema: text }],
    responses: {
      200: { description: 'The model.' },
      ...errorResponses(['invalid_api_key', 'model_not_found']),
    },
  };
}

function openOperation(summary: string, failures: Schema = {}): Schema {
  return { summary, security: [], responses: { 200: { description: 'OK' }, ...failures } };
}
