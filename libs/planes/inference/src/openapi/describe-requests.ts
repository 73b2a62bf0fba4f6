import { omitUndefined } from '@mg/contract';
import type { Endpoint } from './endpoint.js';

type Schema = Readonly<Record<string, unknown>>;

const JSON_BODY = 'application/json';
const FORM_BODY = 'multipart/form-data';
/** Any JSON value: what stands in members that nobody reads here. */
const ANYTHING = 'Anything';
/** Names with NUL are cut there by some readers, so they are refused wherever they stand. */
const NAME = { pattern: String.raw`^[^\u0000]*$` } as const;
/** Parsers of forms read these characters of a name in different ways. */
const FIELD_NAME = { pattern: String.raw`^[^\\"\u0000-\u001f\u007f-\u009f]*$`, minLength: 1 } as const;

/**
 * Says of every body what the readers of envelopes hold it to, whatever its endpoint: in JSON no member's name has NUL, at any
 * depth; a form knows neither `null` nor objects.
 *
 * @param place where schemas stand in the document, as `#/components/schemas/`.
 */
export function describeRequests(
  schemas: Readonly<Record<string, object>>,
  endpoints: readonly Endpoint[],
  place: string,
): Record<string, object> {
  const anything = { $ref: `${place}${ANYTHING}` };
  const inJson = listBodies(endpoints, JSON_BODY);
  const inForms = listBodies(endpoints, FORM_BODY);
  const described = Object.entries(schemas).map(([name, schema]) => {
    if (inJson.has(name)) return [name, describeNames(schema as Schema, anything)];
    return [name, inForms.has(name) ? describeForm(schema as Schema) : schema];
  });
  return {
    ...Object.fromEntries(described),
    [ANYTHING]: {
      type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
      propertyNames: NAME,
      additionalProperties: anything,
      items: anything,
    },
  };
}

function listBodies(endpoints: readonly Endpoint[], type: string): ReadonlySet<string> {
  return new Set(endpoints.flatMap(({ request }) => [request?.[type] ?? []].flat()));
}

const TEXT = { type: 'string' } as const;
const MEMBERS = 'Each member is a field of its own, as `name[member]`; JSON in one field is refused.';

/** Fills in what a schema leaves open. */
function describeNames(schema: Schema, anything: Schema): Schema {
  const names = Object.keys(schema);
  if (names.every((name) => name === 'description')) return { ...schema, ...anything };
  const walk = (value: unknown): unknown =>
    isSchema(value) ? describeNames(value, anything) : Array.isArray(value) ? value.map(walk) : value;
  const others = schema.additionalProperties;
  const isOpen = others === true;
  const isOpenList = [schema.type].flat().includes('array') && schema.items === undefined;
  return {
    ...schema,
    ...omitUndefined({
      properties: isSchema(schema.properties) ? mapValues(schema.properties, walk) : undefined,
      anyOf: schema.anyOf === undefined ? undefined : walk(schema.anyOf),
      propertyNames: isOpen ? NAME : undefined,
      additionalProperties: isOpen ? anything : isSchema(others) ? walk(others) : undefined,
      items: isOpenList ? anything : schema.items === undefined ? undefined : walk(schema.items),
    }),
  };
}

/** Every field of a form is a text or a file. */
function describeForm(schema: Schema): Schema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return {
    ...schema,
    properties: mapValues(properties, (value) => (isSchema(value) ? withoutNull(value) : value)),
    propertyNames: FIELD_NAME,
    additionalProperties: schema.additionalProperties === false ? false : TEXT,
  };
}

/** A field of a form; the members of objects are fields of their own, which are texts. */
function withoutNull({ type, enum: words, anyOf, additionalProperties, ...rest }: Schema): Schema {
  const types = [type ?? []].flat().filter((name) => name !== 'null');
  return {
    ...rest,
    ...omitUndefined({
      type: types.length > 0 ? (types.length === 1 ? types[0] : types) : undefined,
      enum: Array.isArray(words) ? words.filter((word) => word !== null) : undefined,
      anyOf: Array.isArray(anyOf) ? anyOf.filter((one) => !isSchema(one) || one.type !== 'null') : undefined,
      additionalProperties: additionalProperties !== undefined ? TEXT : undefined,
      description: additionalProperties !== undefined ? MEMBERS : rest.description,
    }),
  };
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
