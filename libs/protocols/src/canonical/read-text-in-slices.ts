import { INNER_SHAPE } from '../framing/json-shape.js';
import { type JsonObject, parseExactObject } from '../json.js';
import { readObjectInSlices } from '../strict-json/read-object-in-slices.js';
import { isParsed, STEP_CHARACTERS } from './json-text.js';

/** What cannot be read in steps is parsed in one where it is no longer. */
const WHOLE_CHARACTERS = 256 * 1024;

/**
 * Parses a JSON object within a text, such as the arguments of a call, in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 * @returns `undefined` for any other text, and for what is longer, deeper or of more names than is parsed.
 */
export async function readTextInSlices(
  text: string,
  pause: () => Promise<void>,
): Promise<JsonObject | undefined> {
  // Bytes cannot say half of a surrogate pair.
  if (text.length > STEP_CHARACTERS && text.isWellFormed()) {
    return readObjectInSlices(Buffer.from(text), pause, INNER_SHAPE);
  }
  return text.length <= WHOLE_CHARACTERS && isParsed(text) ? parseExactObject(text) : undefined;
}
