import { readObject, readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** The arguments of the calls of an answer. */
export function listConverseInputs({ output }: JsonObject): readonly object[] {
  const message = readObject(readObject(output)?.message);
  return readObjects(message?.content).flatMap(({ toolUse }) => readObjects([readObject(toolUse)?.input]));
}
