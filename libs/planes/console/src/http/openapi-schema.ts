import { z } from 'zod';

/** Every text that comes in is looked at for what cannot be stored: see `findUnstorableText`. */
const STORABLE = '^[^\\u0000]*$';

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface OpenApiSchema {
  readonly schema: JsonSchema;
  /** The schemas in it that have a name of their own, by `meta({ id })`. */
  readonly components: Record<string, JsonSchema>;
}

/** A schema as OpenAPI 3.0 writes it: what goes in, or what comes out. */
export function toOpenApiSchema(schema: z.ZodType, io: 'input' | 'output'): OpenApiSchema {
  const { definitions = {}, ...root } = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A known format says more than the expression that checks it.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (io === 'input' && jsonSchema.type === 'string' && isAnyText(jsonSchema))
        jsonSchema.pattern = STORABLE;
    },
  });
  return { schema: root, components: definitions as Record<string, JsonSchema> };
}

function isAnyText(schema: object): boolean {
  return !['pattern', 'format', 'enum', 'const'].some((name) => name in schema);
}
