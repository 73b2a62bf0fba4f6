import { type ShapeLimits, VECTOR_SHAPE } from '../framing/json-shape.js';
import { type JsonObject, keepIntegers } from '../json.js';
import { parseAnswerInSlices } from './parse-in-slices.js';
import { scanInSlices } from './scan-in-slices.js';

/**
 * Reads JSON that was kept or stands in a batch, in steps, none of which takes long: a stored response, a line of a file, or
 * the answer to one. Integers beyond 2^53 stay as they were written.
 *
 * @param pause is waited for between two steps.
 * @param limits on what it may hold.
 * @returns `undefined` for what is no JSON object, or holds more than any honest one.
 */
export async function readObjectInSlices(
  bytes: Buffer,
  pause: () => Promise<void>,
  limits: ShapeLimits = VECTOR_SHAPE,
): Promise<JsonObject | undefined> {
  const outline = await scanInSlices(bytes, limits, pause);
  const parsed = outline && (await parseAnswerInSlices(bytes, outline, pause));
  return parsed && keepIntegers(bytes, parsed);
}
