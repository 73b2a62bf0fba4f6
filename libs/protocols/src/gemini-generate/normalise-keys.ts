import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';
import { setMember } from '../strict-json/merge-run.js';
import { weigh } from '../strict-json/stringify-in-slices.js';

/** Members whose content is the caller's own: arguments, results, schemas. Their keys are never renamed. */
const VERBATIM = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  '_responseJsonSchema',
  'labels',
]);

/** A body with camelCase keys: Google's endpoints take snake_case as well, and people who write requests by hand do. */
export function normaliseKeys(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const name = toCamelCase(key);
      return [name, VERBATIM.has(name) ? value : normaliseValue(value)];
    }),
  );
}

function normaliseValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normaliseValue);
  return isObject(value) ? normaliseKeys(value) : value;
}

/** Members of one object whose names are read in a row. */
const MEMBERS_OF_STEP = 500;
/** What has fewer values is read at once: in steps it would take half as long again as all of the conversion. */
const MANY_VALUES = 500;

/** The part of a content with camelCase keys, in steps where it holds many values. */
export function* normalisePart(part: JsonObject): Steps<JsonObject> {
  return weigh(part, MANY_VALUES) < MANY_VALUES ? normaliseKeys(part) : yield* normaliseInSteps(part);
}

/** The same as {@link normaliseKeys} in steps. */
export function* normaliseInSteps(body: JsonObject): Steps<JsonObject> {
  const members: JsonObject = {};
  let read = 0;
  for (const key of Object.keys(body)) {
    if (++read % MEMBERS_OF_STEP === 0) yield;
    const name = toCamelCase(key);
    const value = body[key];
    const isVerbatim = VERBATIM.has(name) || !isNested(value);
    setMember(members, name, isVerbatim ? value : yield* normaliseNested(value));
  }
  return members;
}

function* normaliseNested(value: JsonObject | unknown[]): Steps<unknown> {
  yield;
  if (!Array.isArray(value)) return yield* normaliseInSteps(value);
  const items: unknown[] = [];
  for (const item of value) items.push(isNested(item) ? yield* normaliseNested(item) : item);
  return items;
}

function isNested(value: unknown): value is JsonObject | unknown[] {
  return Array.isArray(value) || isObject(value);
}

/** A key in camelCase, whichever of the two it was written in. */
export function toCamelCase(key: string): string {
  return key.includes('_')
    ? key.replaceAll(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : key;
}
