import { ANSWER_SHAPE, JsonShape } from '../framing/json-shape.js';
import { isObject, type JsonObject } from '../json.js';
import { readInRuns } from './read-in-runs.js';
import { stringifyInSlices } from './stringify-in-slices.js';

/** Bytes that are scanned in one step. */
const SCAN_BYTES = 256 * 1024;

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
  const shape = new JsonShape(ANSWER_SHAPE);
  for (let at = 0; at < body.length; at += SCAN_BYTES) {
    shape.push(body.subarray(at, at + SCAN_BYTES));
    await pause();
  }
  const { value } = await readInRuns(body, shape.end(), pause);
  if (!isObject(value)) throw new SyntaxError('The body is no JSON object.');
  const changed = change(value);
  return changed === value ? body : stringifyInSlices(changed, pause);
}
