import { GatewayError } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';
import { SNAKE_NAMES } from '../strict-json/known-names.js';
import type { NameTable } from '../strict-json/name-table.js';
import { recallParsed } from '../strict-json/parsed-bodies.js';
import { scanBody } from '../strict-json/scanned-body.js';

/**
 * Reads a request's body, in which every name has one meaning.
 *
 * @throws GatewayError `invalid_request` when it is no JSON object, or holds what two readers could understand differently.
 */
export function parseRequestBody(body: Buffer, names: NameTable = SNAKE_NAMES): JsonObject {
  scanBody(body, names);
  const parsed = recallParsed(body);
  if (parsed) return parsed.value;
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
