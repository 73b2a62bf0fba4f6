import { moveInSlices } from '@mg/contract';
import { INNER_SHAPE } from '../framing/json-shape.js';
import { type JsonObject, parseExactObject } from '../json.js';
import { cutText } from '../standard-base64.js';
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
  const bytes = text.length > STEP_CHARACTERS ? await encodeInSlices(text, pause) : undefined;
  if (bytes) return readObjectInSlices(bytes, pause, INNER_SHAPE);
  return text.length <= WHOLE_CHARACTERS && isParsed(text) ? parseExactObject(text) : undefined;
}

/** @returns `undefined` for half of a surrogate pair, which bytes cannot say. */
async function encodeInSlices(text: string, pause: () => Promise<void>): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for await (const slice of cutText(text, pause)) {
    if (!slice.isWellFormed()) return undefined;
    pieces.push(Buffer.from(slice));
  }
  return moveInSlices(pieces, pause);
}
