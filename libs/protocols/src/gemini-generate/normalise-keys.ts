import type { JsonObject } from '../json.js';

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
  return typeof value === 'object' && value !== null ? normaliseKeys(value as JsonObject) : value;
}

/** A key in camelCase, whichever of the two it was written in. */
export function toCamelCase(key: string): string {
  return key.includes('_')
    ? key.replaceAll(/(?<=[a-zA-Z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : key;
}
