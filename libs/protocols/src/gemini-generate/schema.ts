import type { Dropped } from '../canonical/codec.js';
import { readList, readObject } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** Keywords that `parametersJsonSchema` and `responseJsonSchema` know. */
const KNOWN = new Set(
  (
    '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum ' +
    'anyOf oneOf properties additionalProperties required propertyOrdering'
  ).split(' '),
);
/** Keywords that say nothing about what is allowed: leaving them out loses nothing worth a warning. */
const ANNOTATIONS = new Set(
  '$schema $comment $vocabulary default examples example deprecated readOnly writeOnly nullable strict'.split(
    ' ',
  ),
);
/** Where schemas stand inside a schema: one, a list of them, or a map of them by name. */
const SINGLE = new Set(['items', 'additionalProperties']);
const LISTS = new Set(['anyOf', 'oneOf', 'prefixItems']);
const MAPS = new Set(['properties', '$defs']);

/**
 * A JSON Schema with only the keywords that Google knows; constraints that had to go are named. A property that is
 * called like a keyword stays, for only positions that hold keywords are looked at.
 */
export function toGeminiSchema(schema: JsonObject, path: string, dropped: Dropped): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(mergeAllOf(schema))) {
    const name = key === 'definitions' ? '$defs' : key;
    if (name === 'const') kept.push(['enum', [value]]);
    else if (KNOWN.has(name)) kept.push([name, convertMember(name, value, path, dropped)]);
    else if (!ANNOTATIONS.has(name) && !name.startsWith('x-')) dropped.add(`${path}.${name}`);
  }
  return Object.fromEntries(kept);
}

function convertMember(key: string, value: unknown, path: string, dropped: Dropped): unknown {
  const convert = (member: unknown): unknown =>
    isObject(member) ? toGeminiSchema(member, path, dropped) : member;
  if (key === '$ref' && typeof value === 'string') return value.replace('#/definitions/', '#/$defs/');
  if (SINGLE.has(key)) return convert(value);
  if (LISTS.has(key) && Array.isArray(value)) return value.map(convert);
  if (MAPS.has(key) && isObject(value)) return mapMembers(value, convert);
  return value;
}

/** The schemas of `allOf` laid over each other: Google has no such keyword, and tools mostly wrap one schema in it. */
function mergeAllOf(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...rest } = schema;
  let merged: JsonObject = rest;
  for (const part of allOf as unknown[]) {
    if (!isObject(part)) continue;
    const flat = mergeAllOf(part);
    const properties = { ...readObject(flat.properties), ...readObject(merged.properties) };
    const required = new Set([...readList(merged.required), ...readList(flat.required)]);
    merged = { ...flat, ...merged };
    if (Object.keys(properties).length > 0) merged.properties = properties;
    if (required.size > 0) merged.required = [...required];
  }
  return merged;
}

/** Members of OpenAPI's schema dialect by their snake_case names, which Google takes as well. */
const CAMEL: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
  property_ordering: 'propertyOrdering',
  prefix_items: 'prefixItems',
  additional_properties: 'additionalProperties',
};
const INTEGERS = new Set('minItems maxItems minLength maxLength minProperties maxProperties'.split(' '));

/** Reads the OpenAPI dialect of `parameters` and `responseSchema` as JSON Schema: types in small letters, no `nullable`. */
export function fromOpenApiSchema(schema: JsonObject): JsonObject {
  const read: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    const name = Object.hasOwn(CAMEL, key) ? (CAMEL[key] ?? key) : key;
    if (name === 'nullable' || name === 'propertyOrdering' || name === 'example') continue;
    if (name === 'type') read.push([name, readType(value, schema.nullable === true)]);
    else if (INTEGERS.has(name)) read.push([name, typeof value === 'string' ? Number(value) : value]);
    else read.push([name, readMember(name, value)]);
  }
  return Object.fromEntries(read);
}

function readType(type: unknown, nullable: boolean): unknown {
  if (typeof type !== 'string') return type;
  const name = type.toLowerCase();
  return nullable ? [name, 'null'] : name;
}

function readMember(key: string, value: unknown): unknown {
  if (SINGLE.has(key)) return readInner(value);
  if (LISTS.has(key) && Array.isArray(value)) return value.map(readInner);
  if (MAPS.has(key) && isObject(value)) return mapMembers(value, readInner);
  return value;
}

function readInner(member: unknown): unknown {
  return isObject(member) ? fromOpenApiSchema(member) : member;
}

function mapMembers(members: JsonObject, convert: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, convert(member)]));
}
