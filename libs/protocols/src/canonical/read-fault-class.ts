import { isObject, type JsonObject } from '../json.js';

/** What an error is about, as far as others than the upstream can act on it. */
export type FaultClass =
  /** Our account is over its rate limit. */
  | 'limited'
  /** The upstream has no capacity at the moment. */
  | 'overloaded'
  /** Our credential was refused or has no funds. */
  | 'credential'
  /** The request itself was refused. */
  | 'request';

/** Of a type, code or status, in characters: an upstream may have written megabytes. */
const LONGEST_WORD = 256;

/** In this order: `insufficient_quota` comes beside the type of a rate limit. */
const CLASSES: readonly (readonly [FaultClass, RegExp])[] = [
  [
    'credential',
    /authentication|permission|unauthenticated|unauthorized|accessdenied|api_key|insufficient_quota|billing|\b40[123]\b/,
  ],
  ['limited', /rate_?limit|resource_exhausted|throttl|too_?many_?requests|\b429\b/],
  ['overloaded', /overload|unavailable|\bbusy\b|\b(503|529)\b/],
  ['request', /invalid_?request|invalid_?argument|validation|context_length|bad_?request|\b(400|413|422)\b/],
];

/**
 * What an error event of any protocol is about, by its type, code and status; `undefined` where none of them is known. Its
 * message is not read: models and servers write what they like there.
 */
export function readFaultClass(event: JsonObject): FaultClass | undefined {
  const response = isObject(event.response) ? event.response : event;
  const error = isObject(response.error) ? response.error : response;
  const words = [error.type, error.code, error.status]
    .filter((word) => typeof word === 'string' || typeof word === 'number')
    .map((word) => String(word).slice(0, LONGEST_WORD))
    .join(' ')
    .toLowerCase();
  return CLASSES.find(([, pattern]) => pattern.test(words))?.[0];
}
