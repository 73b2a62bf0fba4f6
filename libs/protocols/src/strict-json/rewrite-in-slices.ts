import { ANSWER_SHAPE } from '../framing/json-shape.js';
import { isObject, type JsonObject } from '../json.js';
import { readInRuns } from './read-in-runs.js';
import { scanInSlices } from './scan-in-slices.js';
import { stringifyInSlices } from './stringify-in-slices.js';

/**
 * Changes a large JSON object in steps, none of which takes long.
 *
 * @param change answers the very same object to leave the bytes as they are.
 * @param pause is waited for between two steps.
 * @throws SyntaxError when the body is no JSON object.
 */
export async function rewriteInSlices(
  body: Buffer,
  change: (parsed: JsonObject) => JsonObject,
  pause: () => Promise<void>,
): Promise<Buffer> {
  const outline = await scanInSlices(body, ANSWER_SHAPE, pause);
  if (!outline) throw new SyntaxError('The body holds too much.');
  const { value } = await readInRuns(body, outline, pause);
  if (!isObject(value)) throw new SyntaxError('The body is no JSON object.');
  const changed = change(value);
  return changed === value ? body : stringifyInSlices(changed, pause);
}
