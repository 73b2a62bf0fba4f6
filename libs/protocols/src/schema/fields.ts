import { z } from 'zod';
import { isObject, type JsonObject } from '../json.js';
import { toJsonSchema } from './json-schema.js';

/** Members of requests. Each says in one sentence, for type and range alike, what is wrong with another value. */

export const text = z.string('must be a string');
export const flag = z.boolean('must be true or false');
/** Objects and lists whose content is not read here; they are not copied either. */
export const object = z
  .custom<JsonObject>(isObject, 'must be an object')
  .meta({ type: 'object', additionalProperties: true });
export const list = z.custom<readonly unknown[]>(Array.isArray, 'must be an array').meta({ type: 'array' });

/** Units of UTF-16 that a character takes at most. */
const UNITS_OF_CHARACTER = 2;

/**
 * A text of at most so many characters. One that is longer whatever its characters are is refused before they are counted, one by
 * one, and nothing else looks at it.
 *
 * @param type what is wrong with a value that is no text.
 */
export function textUpTo(most: number, problem: string, type = 'must be a string') {
  const tooLong = { error: problem, abort: true };
  return z
    .string(type)
    .refine((value) => value.length <= most * UNITS_OF_CHARACTER, tooLong)
    .max(most, tooLong);
}

/** Longest name of a model, in characters. */
const MAX_MODEL_LENGTH = 256;

/** A text that holds something. */
export const filledText = text.min(1, 'must not be empty');

/** The name of a model, which can be stored. */
export const modelName = textUpTo(
  MAX_MODEL_LENGTH,
  `must have at most ${MAX_MODEL_LENGTH} characters`,
  'must be a non-empty string',
)
  .min(1, 'must be a non-empty string')
  .refine((name) => !name.includes('\0') && name.isWellFormed(), 'must not hold NUL or half a surrogate pair')
  .meta({ pattern: String.raw`^[^\u0000]*$`, description: 'Model slug.' });

/** A file of a form, which is checked as it comes. */
export function file(description: string) {
  return z
    .custom<unknown>((value) => value !== undefined, 'is needed')
    .meta({ type: 'string', format: 'binary', description });
}

export function numberFrom(
  low: number,
  high: number,
  problem = `must be a number from ${low} to ${high}`,
): z.ZodNumber {
  return z.number(problem).min(low, problem).max(high, problem);
}

export function integerFrom(
  low: number,
  high: number,
  problem = `must be an integer from ${low} to ${high}`,
): z.ZodInt {
  return z.int(problem).min(low, problem).max(high, problem);
}

/** A count of anything; `0` is one. */
export const count = z.int('must be an integer of 0 or more').min(0, 'must be an integer of 0 or more');

/** No vocabulary has more words. */
const MAX_TOKEN_ID = 4_294_967_295;
/** A token, as models number them. */
export const tokenId = count.max(MAX_TOKEN_ID);

export function isTokenId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKEN_ID;
}

/** A number of 1 or more. */
export const countFromOne = count.min(1, 'must be at least 1');

/** Seeds go beyond the integers that JavaScript holds exactly. */
export const anyInteger = z
  .number('must be an integer')
  .refine(Number.isInteger, 'must be an integer')
  .meta({ type: 'integer' });

/** Texts by their names. Of more than may be none is looked at: a body can hold ten thousand, each of which would be an issue. */
export function pairsUpTo(
  most: number,
  pairs: z.ZodRecord<z.ZodType<string, string>, z.ZodString>,
  problem: string,
) {
  return z
    .custom<Readonly<Record<string, string>>>(
      (value) => !isObject(value) || Object.keys(value).length <= most,
      problem,
    )
    .meta({ ...toJsonSchema(pairs), maxProperties: most })
    .pipe(pairs);
}

/** One of several words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  problem = `must be one of ${words.join(', ')}`,
) {
  return z.enum(words, problem);
}

/**
 * A member whose content a function of its own checks: conversations are walked once and to the first failure, which is
 * several times faster than a schema, and costs the same for any number of mistakes.
 *
 * @param described what the document says of it, and what the function holds it to.
 * @param problem what is wrong where it is missing.
 */
export function checkedApart(described: z.ZodType, problem: string) {
  return z.custom<unknown>((value) => value !== undefined, problem).meta(toJsonSchema(described));
}

/** The same for a member that may be left out or `null`. */
export function checkedApartIfGiven(described: z.ZodType) {
  return z.unknown().optional().meta(toJsonSchema(described.nullable()));
}
