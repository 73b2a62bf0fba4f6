import { isObject, type JsonObject } from '../json.js';
import { setMember } from '../strict-json/merge-run.js';
import { readList } from './read-fields.js';
import { SchemaPass } from './schema-pass.js';
import { inOneStep, type Steps } from './steps.js';

/** Where schemas stand inside a schema, so that a property that is named `type` or `not` is never taken for a keyword. */
const ONE = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'additionalProperties',
  'items',
] as const;
const LISTED = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'] as const;
const NAMED = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;

/** The schemas that stand directly inside a JSON Schema. */
export function listInnerSchemas(schema: JsonObject): readonly JsonObject[] {
  const found: unknown[] = ONE.map((key) => schema[key]);
  for (const key of LISTED) {
    const list = schema[key];
    if (Array.isArray(list)) for (const inner of list) found.push(inner);
  }
  for (const key of NAMED) {
    const named = schema[key];
    if (isObject(named)) for (const name of Object.keys(named)) found.push(named[name]);
  }
  return found.filter(isObject);
}

/** Members that are converted in one step, in less than two milliseconds. */
const MEMBERS_IN_A_STEP = 500;

/** An object with each member converted. Lists of thousands of them in between take six times as long. */
export function* mapMembers(members: JsonObject, convert: (member: unknown) => unknown): Steps<JsonObject> {
  const converted: JsonObject = {};
  for (const [index, name] of Object.keys(members).entries()) {
    if (index % MEMBERS_IN_A_STEP === MEMBERS_IN_A_STEP - 1) yield;
    setMember(converted, name, convert(members[name]));
  }
  return converted;
}

/** A JSON Schema with each schema inside it changed. */
export function* mapInnerSchemas(
  schema: JsonObject,
  change: (schema: JsonObject) => JsonObject,
): Steps<JsonObject> {
  const inner = (value: unknown): unknown => (isObject(value) ? change(value) : value);
  const copy: JsonObject = { ...schema };
  for (const key of ONE) if (isObject(copy[key])) copy[key] = inner(copy[key]);
  for (const key of LISTED) {
    const list = copy[key];
    if (Array.isArray(list)) copy[key] = list.map(inner);
  }
  for (const key of NAMED) {
    const named = copy[key];
    if (isObject(named)) copy[key] = yield* mapMembers(named, inner);
  }
  return copy;
}

/** Whether every object of a schema, at any depth, passes a test. */
function everyObjectSchema(test: (schema: JsonObject) => boolean): SchemaPass<boolean> {
  const passes = (schema: JsonObject, inner: (schema: JsonObject) => boolean) =>
    (!isObjectSchema(schema) || test(schema)) && listInnerSchemas(schema).every(inner);
  return new SchemaPass(inOneStep(passes), listInnerSchemas);
}

export function isObjectSchema(schema: JsonObject): boolean {
  return (
    schema.type === 'object' ||
    (Array.isArray(schema.type) && schema.type.includes('object')) ||
    isObject(schema.properties)
  );
}

/** Whether objects of a schema are closed to properties that it does not list. */
export const closedSchemas = everyObjectSchema((part) => part.additionalProperties === false);

/** Characters of names of properties that a body can hold: what is required beyond them are no properties of it. */
const MOST_REQUIRED = 1024 * 1024;

/** The properties that schemas require, each once; `undefined` where they are more than is looked through in one step. */
export function readRequired(schemas: readonly JsonObject[]): ReadonlySet<unknown> | undefined {
  const required = schemas.flatMap((schema) => readList(schema.required));
  let characters = 0;
  for (const name of required) if (typeof name === 'string') characters += name.length;
  return characters > MOST_REQUIRED ? undefined : new Set(required);
}

/** Whether OpenAI's strict mode takes a schema: objects are closed and every property is required. */
export const strictSchemas = everyObjectSchema((part) => {
  const required = readRequired([part]);
  const names = isObject(part.properties) ? Object.keys(part.properties) : [];
  return part.additionalProperties === false && names.every((name) => required?.has(name));
});
