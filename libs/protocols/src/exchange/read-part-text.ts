import { refuseField } from '../canonical/refuse.js';
import type { FormPart } from './exchange.js';

/** The text of a form's field; `undefined` when it is not there. @throws GatewayError `invalid_request` when it is a large file. */
export function readPartText(parts: readonly FormPart[], name: string): string | undefined {
  const part = parts.find((one) => one.name === name);
  if (part === undefined) return undefined;
  return Buffer.isBuffer(part.bytes) ? part.bytes.toString('utf8') : refuseField(name, 'must be a text');
}
