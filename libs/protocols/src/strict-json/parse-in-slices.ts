import { noteDepth, refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import type { JsonOutline } from './json-outline.js';
import { rememberParsed } from './parsed-bodies.js';
import { readInRuns, type ReadJson } from './read-in-runs.js';

/**
 * Parses a large body of a request in steps, none of which takes long. The outcome is remembered for whoever parses the body
 * afterwards.
 *
 * @param outline as the scanner found it.
 * @param pause is waited for between two steps.
 * @throws GatewayError `invalid_request` when the body is no JSON object.
 */
export async function parseInSlices(
  body: Buffer,
  outline: JsonOutline,
  pause: () => Promise<void>,
): Promise<void> {
  const value = await parseObjectInSlices(readInRuns(body, outline, pause), body, outline, () =>
    refuseField('body', 'is not valid JSON'),
  );
  if (value === undefined) refuseField('body', 'must be a JSON object');
}

/**
 * Parses a large answer of an upstream in steps, or answers `undefined` for what is no JSON object. The outcome is
 * remembered like that of a request's body.
 *
 * @param flatBytes longer strings come in pieces, as `JoinedText`.
 */
export function parseAnswerInSlices(
  body: Buffer,
  outline: JsonOutline,
  pause: () => Promise<void>,
  flatBytes = Infinity,
): Promise<JsonObject | undefined> {
  return parseObjectInSlices(readInRuns(body, outline, pause, flatBytes), body, outline, () => undefined);
}

async function parseObjectInSlices(
  reading: Promise<ReadJson>,
  body: Buffer,
  outline: JsonOutline,
  onGarbage: () => undefined,
): Promise<JsonObject | undefined> {
  try {
    const { value, exact } = await reading;
    if (!isObject(value) || !isObject(exact)) return undefined;
    rememberParsed(body, { value, exact });
    noteDepth(value, outline.deepest);
    noteDepth(exact, outline.deepest);
    return value;
  } catch (error) {
    if (error instanceof SyntaxError) return onGarbage();
    throw error;
  }
}
