import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';

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

/** The same in steps. For the parts of contents it would take half as long again as all of their conversion. */
export function* normaliseInSteps(body: JsonObject): Steps<JsonObject> {
  const members: [name: string, value: unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    const name = toCamelCase(key);
    members.push([name, VERBATIM.has(name) || !isNested(value) ? value : yield* normaliseNested(value)]);
  }
  return Object.fromEntries(members);
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
