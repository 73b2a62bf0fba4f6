import { isObjectSchema, mapSchema } from './schema-rules.js';
import type { JsonObject } from '../json.js';

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

/** A schema that structured outputs take: objects closed, and rules they cannot enforce put into the description. */
export function adaptSchema(schema: JsonObject): JsonObject {
  return mapSchema(schema, (part) => {
    const rest: JsonObject = { ...part };
    const notes: string[] = [];
    for (const rule of UNSUPPORTED) {
      if (rest[rule] === undefined) continue;
      notes.push(`${rule}: ${JSON.stringify(rest[rule])}`);
      delete rest[rule];
    }
    if (notes.length > 0) {
      const description = typeof part.description === 'string' ? `${part.description} ` : '';
      rest.description = `${description}(${notes.join(', ')})`;
    }
    return isObjectSchema(rest) ? { ...rest, additionalProperties: false } : rest;
  });
}
