import type { Json } from '../json.js';
import type { CallFacts } from './look-alike.js';

/** A call as OpenAI writes it: id and name with the first fragment only. */
export function writeCall({ index, id, name, arguments: args }: CallFacts): Json {
  return name === undefined
    ? { index, function: { arguments: args } }
    : { index, id, type: 'function', function: { name, arguments: args } };
}
