import { GatewayError } from '@mg/contract';
import { toDatabaseError } from '@mg/persistence/gateway';
import { findChatProtocol } from '@mg/protocols';
import type { Logger } from '@mg/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findDialect } from './find-dialect.js';

/** What the HTTP server itself refuses, by its error codes. */
const SERVER_ERRORS: Readonly<Record<string, () => GatewayError>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new GatewayError('unsupported_media_type', 'Send the body as application/json.', {
      param: 'Content-Type',
    }),
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new GatewayError('request_too_large', 'The body is larger than this endpoint takes.', { param: 'body' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new GatewayError('invalid_request', 'Content-Length does not match the body.', {
      param: 'Content-Length',
    }),
  FST_ERR_BAD_URL: () =>
    new GatewayError('invalid_request', 'The path is not a valid URL.', { param: 'path' }),
  FST_ERR_ASYNC_CONSTRAINT: () => new GatewayError('not_found', 'There is no such endpoint.'),
};

/** Any error as one that may be shown. Unexpected errors are logged and shown as an internal error. */
export function toGatewayError(error: unknown, request: FastifyRequest, logger: Logger): GatewayError {
  if (error instanceof GatewayError) return error;
  const databaseError = toDatabaseError(error);
  if (databaseError) {
    logger.warn({ request_id: request.id }, databaseError.message);
    return databaseError;
  }
  const code = readCode(error);
  const known = code === undefined ? undefined : SERVER_ERRORS[code];
  if (known) return known();
  const status = readStatus(error);
  if (status !== undefined && status >= 400 && status < 500) {
    return new GatewayError('invalid_request', 'The request could not be read.');
  }
  logger.error({ err: error, request_id: request.id }, 'a call failed unexpectedly');
  return new GatewayError(
    'internal_error',
    'The gateway failed. The request id helps its operator to find out why.',
  );
}

/** Answers with an error in the specification's shape and the SDKs' dialect. */
export function sendError(error: GatewayError, request: FastifyRequest, reply: FastifyReply): void {
  if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter));
  reply
    .code(error.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(findChatProtocol(findDialect(request)).renderError(error, request.id)));
}

/** The body of an error that is answered before it is known what was asked for. */
export function renderError(error: GatewayError, requestId: string): unknown {
  return findChatProtocol('openai-chat').renderError(error, requestId);
}

function readCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function readStatus(error: unknown): number | undefined {
  return typeof error === 'object' &&
    error !== null &&
    'statusCode' in error &&
    typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}
