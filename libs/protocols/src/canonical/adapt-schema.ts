import type { JsonObject } from '../json.js';
import { weigh } from '../strict-json/stringify-in-slices.js';
import { SchemaPass } from './schema-pass.js';
import { isObjectSchema, listInnerSchemas, mapInnerSchemas } from './schema-rules.js';

/** Rules that structured outputs of this protocol do not enforce and refuse to be sent. */
const UNSUPPORTED = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;

/** Weight of a rule that is put into the description, some hundred characters: longer patterns tell a model nothing. */
const MOST_NOTED = 8;

/** Schemas that structured outputs take: objects closed, and rules they cannot enforce put into the description. */
export const structuredSchemas = new SchemaPass<JsonObject>(function* (schema, inner) {
  return adapt(yield* mapInnerSchemas(schema, inner));
}, listInnerSchemas);

function adapt(schema: JsonObject): JsonObject {
  const rest: JsonObject = { ...schema };
  const notes: string[] = [];
  for (const rule of UNSUPPORTED) {
    if (rest[rule] === undefined) continue;
    if (weigh(rest[rule], MOST_NOTED) < MOST_NOTED) notes.push(`${rule}: ${JSON.stringify(rest[rule])}`);
    delete rest[rule];
  }
  if (notes.length > 0) {
    const description = typeof schema.description === 'string' ? `${schema.description} ` : '';
    rest.description = `${description}(${notes.join(', ')})`;
  }
  return isObjectSchema(rest) ? { ...rest, additionalProperties: false } : rest;
}
