import { ERROR_TABLE, type ErrorCode, omitUndefined } from '@mg/contract';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCOUNT_ENDPOINTS } from './account-endpoints.js';
import { BATCH_ENDPOINTS } from './batch-endpoints.js';
import { CACHED_CONTENT_ENDPOINTS } from './cached-content-endpoints.js';
import { CHAT_ENDPOINTS } from './chat-endpoints.js';
import { type Answer, type Bodies, type Cost, type Endpoint, type Parameter, text } from './endpoint.js';
import { CONVERSATION_ENDPOINTS } from './conversation-endpoints.js';
import { describeRequests } from './describe-requests.js';
import { EXCHANGE_ENDPOINTS } from './exchange-endpoints.js';
import { GOOGLE_BATCH_ENDPOINTS } from './google-batch-endpoints.js';
import { REALTIME_ENDPOINTS } from './realtime-endpoints.js';
import { GOOGLE_FILE_ENDPOINTS } from './google-file-endpoints.js';
import { PLACE, ref, writeSchemas } from './schemas.js';
import { SERVICE_ENDPOINTS } from './service-endpoints.js';
import { VIDEO_ENDPOINTS } from './video-endpoints.js';

/** Every operation of the public API. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...CHAT_ENDPOINTS,
  ...CONVERSATION_ENDPOINTS,
  ...EXCHANGE_ENDPOINTS,
  ...REALTIME_ENDPOINTS,
  ...VIDEO_ENDPOINTS,
  ...BATCH_ENDPOINTS,
  ...GOOGLE_BATCH_ENDPOINTS,
  ...GOOGLE_FILE_ENDPOINTS,
  ...CACHED_CONTENT_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
];

const INVALID: readonly ErrorCode[] = ['invalid_request'];
const WITH_KEY: readonly ErrorCode[] = [
  ...INVALID,
  'invalid_api_key',
  'address_not_allowed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'loop_detected',
];
const BILLED: readonly ErrorCode[] = [
  ...WITH_KEY,
  'insufficient_balance',
  'model_not_allowed',
  'model_not_found',
  'model_not_priced',
  'idempotency_conflict',
  'quota_exceeded',
  'budget_exceeded',
  'upstream_error',
  'upstream_unavailable',
];
const FAILURES: Readonly<Record<Cost, readonly ErrorCode[]>> = {
  open: INVALID,
  free: WITH_KEY,
  billed: BILLED,
};
const WITH_BODY: readonly ErrorCode[] = ['request_too_large', 'unsupported_media_type'];

/** Headers of any billed call. */
const CALL_HEADERS: readonly Parameter[] = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { ...text, minLength: 1, maxLength: 255 },
    description: 'One answer, one charge.',
  },
  {
    name: 'x-gateway-strict',
    in: 'header',
    schema: { ...text, enum: ['1'] },
    description: 'Refuse a call rather than leave out a hint that the channel cannot carry.',
  },
  {
    name: 'x-gateway-cost',
    in: 'header',
    schema: { ...text, enum: ['1'] },
    description:
      'Show what a streamed chat cost: `gateway_cost`, USD as a decimal text, beside the usage in its last event that holds any.',
  },
  {
    name: 'x-gateway-cache',
    in: 'header',
    schema: { ...text, pattern: String.raw`^(off|0{0,8}[1-9]\d{0,8}(ms|s|m|h))$` },
    description:
      'How old an answer to the same request may be, such as `60s`, 24 hours at most; `off` by default.',
  },
  {
    name: 'x-gateway-fallback',
    in: 'header',
    schema: { ...text, maxLength: 1024 },
    description: 'Models to go to when the one that is asked for does not answer, as `a,b`.',
  },
];

/** Headers of the answer to a billed call. */
const ANSWER_HEADERS = {
  'x-request-id': { schema: text },
  'x-gateway-cost': { schema: text, description: 'USD, decimal; behind a stream as a trailer.' },
  'x-gateway-latency-ms': { schema: { type: 'integer' }, description: 'Not on streams.' },
  'x-gateway-model': { schema: text, description: 'Slug of the model that answered.' },
  'x-gateway-attempts': { schema: { type: 'integer' }, description: 'Channels that were asked.' },
  'x-gateway-cache': {
    schema: { ...text, enum: ['hit', 'miss'] },
    description: 'Whether the cache answered; where the caller asked for it.',
  },
  'x-gateway-channel': { schema: text, description: 'Channel that answered; for keys of administrators.' },
  'x-gateway-dropped': {
    schema: text,
    description: 'Hints that the channel could not carry, as `seed,top_k`.',
  },
};

/** Headers of every answer to a key that has such limits; where the client speaks Anthropic's protocol, in its words. */
const LIMIT_HEADERS = Object.fromEntries(
  ['requests', 'tokens'].flatMap((what) => [
    [`x-ratelimit-limit-${what}`, { schema: { type: 'integer' }, description: 'Of a key with limits.' }],
    [`x-ratelimit-remaining-${what}`, { schema: { type: 'integer' } }],
    [`x-ratelimit-reset-${what}`, { schema: text, description: 'Until all of it is there again: `6m0s`.' }],
  ]),
);
/** The same by reference: they stand on failures, too. */
const LIMIT_HEADER_REFS = Object.fromEntries(
  Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const SHOWN_HEADERS = {
  free: LIMIT_HEADER_REFS,
  billed: { ...ANSWER_HEADERS, ...LIMIT_HEADER_REFS },
} as const;

/** The description of the gateway's public API for people and tools, served at `/openapi.json` and drawn at `/docs`. */
export function writeOpenApiDocument(version: string): OpenAPIObject {
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
    paths: writePaths(ENDPOINTS),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer sk-...' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        googleKeyHeader: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
        keyQuery: { type: 'apiKey', in: 'query', name: 'key' },
      },
      headers: LIMIT_HEADERS,
      schemas: describeRequests(writeSchemas(), ENDPOINTS, PLACE),
    },
  } as OpenAPIObject;
}

function writePaths(endpoints: readonly Endpoint[]): Record<string, object> {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, operations]) => [
      path,
      Object.fromEntries(operations.map((endpoint) => [endpoint.method, writeOperation(endpoint)])),
    ]),
  );
}

function writeOperation(endpoint: Endpoint): object {
  const { summary, description, security, request, cost, parameters = [], failures = [] } = endpoint;
  const codes = new Set([...FAILURES[cost], ...(request ? WITH_BODY : []), ...failures]);
  const shown = cost === 'billed' ? [...parameters, ...CALL_HEADERS] : parameters;
  return omitUndefined({
    summary,
    description,
    security,
    parameters: shown.length > 0 ? shown : undefined,
    requestBody: request ? { required: true, content: writeContent(request) } : undefined,
    responses: { ...writeFailures([...codes], cost), ...writeAnswers(endpoint) },
  });
}

/** Failures by their status. */
function writeFailures(codes: readonly ErrorCode[], cost: Cost): Record<string, object> {
  const headers = cost === 'open' ? undefined : LIMIT_HEADER_REFS;
  const byStatus = Map.groupBy(codes, (code) => ERROR_TABLE[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sameStatus]) => [
      String(status),
      omitUndefined({
        description: sameStatus.join(', '),
        headers,
        content: writeContent({ 'application/json': 'Error' }),
      }),
    ]),
  );
}

function writeAnswers({ answers, cost }: Endpoint): Record<string, object> {
  const write = ({ description, content, headers }: Answer) =>
    omitUndefined({
      description,
      headers: cost === 'open' ? headers : { ...SHOWN_HEADERS[cost], ...headers },
      content: content ? writeContent(content) : undefined,
    });
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, write(answer as Answer)]),
  );
}

function writeContent(bodies: Bodies): Record<string, object> {
  return Object.fromEntries(
    Object.entries(bodies).map(([type, schemas]) => {
      if (schemas === undefined) return [type, {}];
      const refs = [schemas].flat().map((name) => ref(name));
      return [type, { schema: refs.length === 1 ? refs[0] : { anyOf: refs } }];
    }),
  );
}
