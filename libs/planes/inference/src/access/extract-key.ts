import { GatewayError } from '@mg/contract';
import type { IncomingHttpHeaders } from 'node:http';

const KEY = /^sk-[A-Za-z0-9_-]{8,200}$/;
const BEARER = /^Bearer[ \t]+(\S+)[ \t]*$/i;

const SUBPROTOCOL = 'openai-insecure-api-key.';

/**
 * Reads the API key in any of the forms that official SDKs send: `Authorization: Bearer`, `x-api-key`, `x-goog-api-key`,
 * `?key=`, and a subprotocol of a WebSocket.
 *
 * @throws GatewayError `invalid_api_key`, without a look at any database, when there is none or it is no key of ours.
 */
export function extractKey(headers: IncomingHttpHeaders, query: unknown): string {
  const key = readKey(headers, query);
  if (key === undefined) {
    throw new GatewayError(
      'invalid_api_key',
      'No API key was sent. Send one as "Authorization: Bearer sk-...", "x-api-key" or "x-goog-api-key".',
    );
  }
  if (!KEY.test(key)) throw refuseKey();
  return key;
}

/** The key that a request comes with; `undefined` where there is none, or none that could be ours. */
export function findKey(headers: IncomingHttpHeaders, query: unknown): string | undefined {
  const key = readKey(headers, query);
  return key !== undefined && KEY.test(key) ? key : undefined;
}

/** Whether a request comes with a key, good or not. */
export function hasKey(headers: IncomingHttpHeaders, query: unknown): boolean {
  return readKey(headers, query) !== undefined;
}

/** The same answer for an unknown, disabled, deleted or malformed key: a caller without a key learns nothing. */
export function refuseKey(): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    'The API key is not valid. It may be mistyped, disabled or deleted.',
  );
}

function readKey(headers: IncomingHttpHeaders, query: unknown): string | undefined {
  if (headers.authorization !== undefined) return BEARER.exec(headers.authorization)?.[1] ?? '';
  const header = headers['x-api-key'] ?? headers['x-goog-api-key'];
  if (header !== undefined) return Array.isArray(header) ? '' : header.trim();
  if (typeof query === 'object' && query !== null && 'key' in query) {
    return typeof query.key === 'string' ? query.key : '';
  }
  return readSubprotocol(headers['sec-websocket-protocol']);
}

/**
 * Browsers can set no header of a WebSocket but this one.
 *
 * @see https://platform.openai.com/docs/guides/realtime-websocket
 */
function readSubprotocol(protocols: string | undefined): string | undefined {
  const names = protocols?.split(',').map((name) => name.trim()) ?? [];
  return names.find((name) => name.startsWith(SUBPROTOCOL))?.slice(SUBPROTOCOL.length);
}
