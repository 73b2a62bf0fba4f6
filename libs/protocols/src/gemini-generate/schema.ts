import type { Dropped } from '../canonical/codec.js';
import { readObject } from '../canonical/read-fields.js';
import { SchemaPass } from '../canonical/schema-pass.js';
import { mapMembers, readRequired } from '../canonical/schema-rules.js';
import type { Steps } from '../canonical/steps.js';
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

/** A schema with only the keywords that Google knows, and the names of those that had to go. */
interface KnownSchema {
  readonly schema: JsonObject;
  readonly lost: readonly string[];
}

/**
 * Schemas with only the keywords that Google knows. A property that is called like a keyword stays, for only positions that hold
 * keywords are looked at.
 */
export const knownSchemas = new SchemaPass<KnownSchema>(keepKnown, listInner);

/** A JSON Schema with only the keywords that Google knows; constraints that had to go are named. */
export function toGeminiSchema(schema: JsonObject, path: string, dropped: Dropped): JsonObject {
  const { schema: known, lost } = knownSchemas.of(schema);
  for (const name of lost) dropped.add(`${path}.${name}`);
  return known;
}

function* keepKnown(schema: JsonObject, inner: (schema: JsonObject) => KnownSchema): Steps<KnownSchema> {
  const kept: [string, unknown][] = [];
  const lost = new Set<string>();
  const keepInner = (member: unknown): unknown => {
    if (!isObject(member)) return member;
    const known = inner(member);
    for (const name of known.lost) lost.add(name);
    return known.schema;
  };
  for (const [key, value] of Object.entries(mergeAllOf(schema))) {
    const name = nameKeyword(key);
    if (name === 'const') kept.push(['enum', [value]]);
    else if (name === '$ref' && typeof value === 'string') {
      kept.push([name, value.replace('#/definitions/', '#/$defs/')]);
    } else if (KNOWN.has(name)) kept.push([name, yield* convertMember(name, value, keepInner)]);
    else if (!ANNOTATIONS.has(name) && !name.startsWith('x-')) lost.add(name);
  }
  return { schema: Object.fromEntries(kept), lost: lost.size === 0 ? NOTHING : [...lost] };
}

const NOTHING: readonly string[] = [];

function nameKeyword(key: string): string {
  return key === 'definitions' ? '$defs' : key;
}

/** The schemas that stand directly inside one, where Google knows them. */
function listInner(schema: JsonObject): readonly JsonObject[] {
  return Object.entries(mergeAllOf(schema)).flatMap(([key, value]) => listSchemas(nameKeyword(key), value));
}

/** The schemas that a member holds. */
function listSchemas(key: string, value: unknown): readonly JsonObject[] {
  if (SINGLE.has(key)) return isObject(value) ? [value] : [];
  if (LISTS.has(key)) return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
  return MAPS.has(key) && isObject(value) ? Object.values(value).filter(isObject) : [];
}

/** A member with the schemas that it holds converted. */
function* convertMember(key: string, value: unknown, convert: (member: unknown) => unknown): Steps<unknown> {
  if (SINGLE.has(key)) return convert(value);
  if (LISTS.has(key) && Array.isArray(value)) return value.map(convert);
  if (MAPS.has(key) && isObject(value)) return yield* mapMembers(value, convert);
  return value;
}

/** Schemas of one `allOf`; of more none is laid over the others, which takes one step. */
const MOST_LAYERS = 256;

/** The schemas of `allOf` laid over each other: Google has no such keyword, and tools mostly wrap one schema in it. */
function mergeAllOf(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.allOf) || schema.allOf.length > MOST_LAYERS) return schema;
  const { allOf, ...rest } = schema;
  const others = (allOf as unknown[]).filter(isObject).map((part) => mergeAllOf(part));
  if (others.length === 0) return rest;
  const layers = [rest, ...others];
  const required = readRequired(layers);
  if (!required) return schema;
  // What stands first counts: it is laid down last.
  const layDown = (parts: readonly JsonObject[]): JsonObject =>
    Object.fromEntries(parts.toReversed().flatMap((part) => Object.entries(part)));
  const merged = layDown(layers);
  const properties = layDown(layers.map((layer) => readObject(layer.properties) ?? {}));
  if (Object.keys(properties).length > 0) merged.properties = properties;
  if (required.size > 0) merged.required = [...required];
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

/** Schemas of the OpenAPI dialect of `parameters` and `responseSchema` as JSON Schema: types in small letters, no `nullable`. */
export const openApiSchemas = new SchemaPass<JsonObject>(readOpenApi, listInnerOpenApi);

function* readOpenApi(schema: JsonObject, inner: (schema: JsonObject) => JsonObject): Steps<JsonObject> {
  const read: [string, unknown][] = [];
  const readInner = (member: unknown): unknown => (isObject(member) ? inner(member) : member);
  for (const [key, value] of Object.entries(schema)) {
    const name = nameMember(key);
    if (name === 'nullable' || name === 'propertyOrdering' || name === 'example') continue;
    if (name === 'type') read.push([name, readType(value, schema.nullable === true)]);
    else if (INTEGERS.has(name)) read.push([name, typeof value === 'string' ? Number(value) : value]);
    else read.push([name, yield* convertMember(name, value, readInner)]);
  }
  return Object.fromEntries(read);
}

function nameMember(key: string): string {
  return Object.hasOwn(CAMEL, key) ? (CAMEL[key] ?? key) : key;
}

/** Of a name of a type, in characters; a longer one is none. */
const LONGEST_TYPE = 64;

function readType(type: unknown, nullable: boolean): unknown {
  if (typeof type !== 'string') return type;
  const name = type.length > LONGEST_TYPE ? type : type.toLowerCase();
  return nullable ? [name, 'null'] : name;
}

function listInnerOpenApi(schema: JsonObject): readonly JsonObject[] {
  return Object.entries(schema).flatMap(([key, value]) => listSchemas(nameMember(key), value));
}
