import { readObject, readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { readResult } from './decode-parts.js';

/** The arguments of the calls of a request and what tools gave back, in either spelling, as far as they are no texts. */
export function listGeminiInputs({ contents }: JsonObject): readonly object[] {
  const parts = readObjects(contents).flatMap((content) => readObjects(content.parts));
  return parts.flatMap((part) => {
    const call = readObject(part.functionCall ?? part.function_call);
    const response = readObject(part.functionResponse ?? part.function_response);
    const values = [call?.args, response && readResult(response).value];
    return values.filter((value) => typeof value === 'object' && value !== null);
  });
}
