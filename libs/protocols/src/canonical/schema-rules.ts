import { isObject, type JsonObject } from '../json.js';

/** Deeper schemas are left as they are: no provider takes them. */
const MAX_DEPTH = 64;

/** Where schemas stand inside a schema, so that a property that is named `type` or `not` is never taken for a keyword. */
const ONE = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'] as const;
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;

/** Rewrites a JSON Schema from the inside out, schema by schema. */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
  depth = 0,
): JsonObject {
  if (depth > MAX_DEPTH) return schema;
  const inner = (value: unknown): unknown => (isObject(value) ? mapSchema(value, change, depth + 1) : value);
  const copy: JsonObject = { ...schema };
  for (const key of ONE) if (isObject(copy[key])) copy[key] = inner(copy[key]);
  if (isObject(copy.items)) copy.items = inner(copy.items);
  for (const key of [...LISTED, 'items'] as const) {
    const list = copy[key];
    if (Array.isArray(list)) copy[key] = list.map(inner);
  }
  for (const key of NAMED) {
    const named = copy[key];
    if (isObject(named)) {
      copy[key] = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, inner(value)]));
    }
  }
  return change(copy);
}

/** Whether every object of a schema, at any depth, passes a test. */
function everyObjectSchema(schema: JsonObject, test: (schema: JsonObject) => boolean): boolean {
  let passed = true;
  mapSchema(schema, (part) => {
    if (isObjectSchema(part) && !test(part)) passed = false;
    return part;
  });
  return passed;
}

export function isObjectSchema(schema: JsonObject): boolean {
  return (
    schema.type === 'object' ||
    (Array.isArray(schema.type) && schema.type.includes('object')) ||
    isObject(schema.properties)
  );
}

/** Whether objects of a schema are closed to properties that it does not list. */
export function isClosedSchema(schema: JsonObject): boolean {
  return everyObjectSchema(schema, (part) => part.additionalProperties === false);
}

/** Whether OpenAI's strict mode takes a schema: objects are closed and every property is required. */
export function isStrictSchema(schema: JsonObject): boolean {
  return everyObjectSchema(schema, (part) => {
    const required = new Set(Array.isArray(part.required) ? part.required : []);
    const names = isObject(part.properties) ? Object.keys(part.properties) : [];
    return part.additionalProperties === false && names.every((name) => required.has(name));
  });
}
