import type { Failure } from './behaviour.js';
import type { ErrorFacts } from './dialects/dialect.js';
import { isObject, readText } from './json.js';

type Reply = Extract<Failure, { kind: 'reply' }>;

/** An error in OpenAI's shape. */
export function errorBody(
  message: string,
  type: string,
  code: string | null,
  param: string | null = null,
): unknown {
  return { error: { message, type, param, code } };
}

/** What an error in OpenAI's shape says, so that another dialect can say it; `undefined` for any other body. */
export function readErrorBody(body: unknown): ErrorFacts | undefined {
  if (!isObject(body) || !isObject(body['error']) || typeof body['error']['message'] !== 'string')
    return undefined;
  const { message, type, code, param } = body['error'];
  return {
    message,
    type: readText(type),
    code: typeof code === 'string' ? code : null,
    param: typeof param === 'string' ? param : null,
  };
}

function refuse(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return { kind: 'reply', status, body, headers };
}

/** Failures in the words that providers use for them. */
export const FAILURES = {
  contextTooLong: refuse(
    400,
    errorBody(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
  ),
  contentPolicy: refuse(
    400,
    errorBody(
      'Your request was rejected as a result of our safety system.',
      'invalid_request_error',
      'content_policy_violation',
    ),
  ),
  badParameter: refuse(
    400,
    errorBody(
      "Unsupported value: 'temperature' does not support 7 with this model. Only the default (1) value is supported.",
      'invalid_request_error',
      'unsupported_value',
      'temperature',
    ),
  ),
  wrongKey: refuse(
    401,
    errorBody('Incorrect API key provided: sk-fake********0000.', 'invalid_request_error', 'invalid_api_key'),
  ),
  /** As Google answers a wrong key. */
  wrongKeyIn400: refuse(
    400,
    errorBody('API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', 'API_KEY_INVALID'),
  ),
  noFunds: refuse(402, errorBody('Insufficient Balance', 'unknown_error', 'invalid_request_error')),
  forbidden: refuse(
    403,
    errorBody('Project does not have access to this model.', 'invalid_request_error', 'model_not_found'),
  ),
  modelUnknown: refuse(
    404,
    errorBody(
      'The model does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
  ),
  fileForbidden: refuse(
    403,
    errorBody(
      'You do not have permission to access the File abc or it may not exist.',
      'permission_error',
      null,
    ),
  ),
  flagged: refuse(
    403,
    errorBody('The model requires moderation. Your input was flagged for "violence".', 'moderation', null),
  ),
  fileUnknown: refuse(404, errorBody('No such File object: file-abc', 'invalid_request_error', null, 'id')),
  tooLarge: refuse(413, errorBody('Request exceeds the maximum size.', 'request_too_large', null)),
  unprocessable: refuse(
    422,
    errorBody('messages: Input should be a valid list.', 'invalid_request_error', null),
  ),
  toolServerFailed: refuse(
    424,
    errorBody(
      "Error retrieving tool list from MCP server: 'mine'. Http status code: 424 (Failed Dependency)",
      'external_connector_error',
      'http_error',
    ),
  ),
  rateLimited: refuse(
    429,
    errorBody(
      'Rate limit reached for requests per min. Please try again in 2s.',
      'requests',
      'rate_limit_exceeded',
    ),
    {
      'retry-after': '2',
      'retry-after-ms': '2000',
      'x-ratelimit-limit-requests': '500',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '2s',
    },
  ),
  overQuota: refuse(
    429,
    errorBody('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
  ),
  serverError: refuse(
    500,
    errorBody('The server had an error while processing your request.', 'server_error', null),
  ),
  badGateway: {
    ...refuse(
      502,
      '<html><head><title>502 Bad Gateway</title></head><body><center>nginx</center></body></html>',
    ),
    contentType: 'text/html',
  },
  overloaded: refuse(503, errorBody('The engine is currently overloaded.', 'server_error', null)),
  tookTooLong: refuse(504, errorBody('The model did not answer in time.', 'timeout_error', null)),
  siteOverloaded: refuse(529, errorBody('Overloaded', 'overloaded_error', null)),
} as const satisfies Record<string, Reply>;
