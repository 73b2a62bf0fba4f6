import { readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** The arguments of calls of a request, as far as they are no texts: those of a search for tools. */
export function listResponsesInputs({ input }: JsonObject): readonly JsonObject[] {
  return readObjects(input).flatMap((item) => (isObject(item.arguments) ? [item.arguments] : []));
}
