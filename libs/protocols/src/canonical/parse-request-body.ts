import { GatewayError } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';

/** Reads a request's body. @throws GatewayError `invalid_request` when it is no JSON object. */
export function parseRequestBody(body: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new GatewayError('invalid_request', 'The body is not valid JSON.', { param: 'body' });
  }
  if (!isObject(value)) {
    throw new GatewayError('invalid_request', 'The body must be a JSON object.', { param: 'body' });
  }
  return value;
}
