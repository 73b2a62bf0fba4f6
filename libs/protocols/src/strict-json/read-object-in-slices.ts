import { JsonShape, VECTOR_SHAPE } from '../framing/json-shape.js';
import { type JsonObject, keepIntegers } from '../json.js';
import { parseAnswerInSlices } from './parse-in-slices.js';

/** Bytes that are scanned in one step. */
const SCAN_BYTES = 256 * 1024;

/**
 * Reads JSON that stands in a batch, in steps, none of which takes long: a line of a file, or the answer to one. Integers
 * beyond 2^53 stay as they were written.
 *
 * @param pause is waited for between two steps.
 * @returns `undefined` for what is no JSON object, or holds more than any honest one.
 */
export async function readObjectInSlices(
  bytes: Buffer,
  pause: () => Promise<void>,
): Promise<JsonObject | undefined> {
  const shape = new JsonShape(VECTOR_SHAPE);
  for (let at = 0; at < bytes.length; at += SCAN_BYTES) {
    if (at > 0) await pause();
    if (!shape.push(bytes.subarray(at, at + SCAN_BYTES))) return undefined;
  }
  const parsed = await parseAnswerInSlices(bytes, shape.end(), pause);
  return parsed && keepIntegers(bytes, parsed);
}
