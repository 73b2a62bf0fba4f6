import { refuseField } from '../canonical/refuse.js';
import { toCamelCase } from '../gemini-generate/normalise-keys.js';
import { isObject } from '../json.js';

/** Google's own objects of the kind have a dozen members. */
const MOST_MEMBERS = 100;

/**
 * An object of Google's API with the names of its members in camelCase; what is no object stays as it is.
 *
 * @param path where in the body it stands.
 * @throws GatewayError `invalid_request` for a name in two spellings, and for more members than such an object has.
 */
export function toCamelNames(value: unknown, path: string): unknown {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length > MOST_MEMBERS) refuseField(path, `must have at most ${MOST_MEMBERS} members`);
  const named = new Map<string, unknown>();
  for (const key of keys) {
    const name = toCamelCase(key);
    if (named.has(name)) refuseField(`${path}.${name}`, 'is there in two spellings');
    named.set(name, value[key]);
  }
  return Object.fromEntries(named);
}
