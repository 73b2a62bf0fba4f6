import { isObject, type JsonObject, parseExactObject, parseObject } from '../json.js';

/** Tells a model to answer in JSON where no setting does, or where the provider wants it said as well. */
export const JSON_ONLY = 'Answer with one JSON object only: no prose, no code fences.';

/**
 * Reads the arguments of a call, which models write as JSON text. None is an empty object; what is not a JSON object
 * is kept as text under `_raw`, so that nothing a model said is lost.
 */
export function readArguments(text: string): JsonObject {
  if (text.trim() === '') return {};
  return parseExactObject(text) ?? { _raw: text };
}

/** Writes arguments as models do; what {@link readArguments} could not read goes back as it was. */
export function writeArguments(input: unknown): string {
  if (!isObject(input)) return '{}';
  const { _raw: raw, ...rest } = input;
  return typeof raw === 'string' && Object.keys(rest).length === 0 ? raw : JSON.stringify(input);
}

/** Whether a call's arguments are whole. */
export function areArgumentsWhole(text: string): boolean {
  return text.trim() === '' || parseObject(text) !== undefined;
}

/** Text of base64 data, as UTF-8. */
export function decodeText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
