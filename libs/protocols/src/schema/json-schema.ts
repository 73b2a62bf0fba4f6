import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

const OPTIONS = {
  // What is asked for and what is answered are described as they stand on the wire.
  io: 'input',
  unrepresentable: 'any',
  override: ({ jsonSchema }) => {
    foldNull(jsonSchema);
    if (isEmpty(jsonSchema.properties)) delete jsonSchema.properties;
    if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
    // The bounds of JavaScript's exact integers say nothing to anybody.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} satisfies z.core.ToJSONSchemaParams;

/** A schema as JSON Schema of draft 2020-12, which OpenAPI 3.1 uses. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return withoutHead(z.toJSONSchema(schema, OPTIONS));
}

/**
 * Named schemas as JSON Schema, by their names; where one holds another, it refers to it.
 *
 * @param place where they stand in their document, as `#/components/schemas/`.
 */
export function toJsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  place: string,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: written } = z.toJSONSchema(registry, { ...OPTIONS, uri: (id) => `${place}${id}` });
  return Object.fromEntries(Object.entries(written).map(([id, schema]) => [id, withoutHead(schema)]));
}

/** What names a schema as a document of its own. */
const HEAD: ReadonlySet<string> = new Set(['$schema', '$id', '~standard']);

function withoutHead(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !HEAD.has(name)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** `{type: ['string', 'null']}` rather than `anyOf` of the two, which is how people write it. */
function foldNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, nothing, ...others] = schema.anyOf ?? [];
  if (!value || nothing?.type !== 'null' || others.length > 0) return;
  if (value.anyOf) schema.anyOf = [...value.anyOf, nothing];
  if (typeof value.type !== 'string') return;
  const { type, enum: words, const: word, ...rest } = value;
  const allowed = word === undefined ? words : [word];
  delete schema.anyOf;
  Object.assign(schema, rest, { type: [type, 'null'] }, allowed && { enum: [...allowed, null] });
}
