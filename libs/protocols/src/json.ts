import { recallParsed } from './strict-json/parsed-bodies.js';

/** A JSON object as it comes off the wire: nothing is known of its members. */
export type JsonObject = Record<string, unknown>;

/** An integer kept as it was written; `JSON.stringify` writes it back the same. */
interface RawInteger {
  readonly rawJSON: string;
}

declare global {
  /** What the runtime has and the language's own declarations do not have yet. */
  interface JSON {
    rawJSON(text: string): RawInteger;
    isRawJSON(value: unknown): value is RawInteger;
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

/** An integer that may not be exact, or what looks like one within a string; no fraction, of which answers hold many. */
export const LONG_INTEGER = /(?:^|[\s[:,])-?\d{16,}(?![\d.eE])/;
const INTEGER = /^-?\d+$/;
/** Behind what JSON takes for white space. */
const BEGINS_AN_OBJECT = /^[ \t\n\r]*\{/;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawInteger(value);
}

/** PreparedCall for the member first is what makes this cheap. */
function isRawInteger(value: object): value is RawInteger {
  return 'rawJSON' in value && JSON.isRawJSON(value);
}

/**
 * Parses JSON without rounding integers beyond 2^53: ids that stand in arguments and results of tools come out as they
 * went in. Such an integer is opaque, neither a number nor an object.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  return LONG_INTEGER.test(text) ? JSON.parse(text, keepInteger) : JSON.parse(text);
}

function keepInteger(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
  return isRounded && source !== undefined && INTEGER.test(source) ? JSON.rawJSON(source) : value;
}

/** An integer that was kept as it was written, as the number nearest to it; anything else unchanged. */
export function roundInteger(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(value.rawJSON) : value;
}

/** A body that was parsed already, parsed once more where that had rounded an integer. */
export function keepIntegers(body: Buffer, parsed: JsonObject): JsonObject {
  const inSlices = recallParsed(body);
  if (inSlices) return inSlices.exact;
  const text = body.toString('utf8');
  return LONG_INTEGER.test(text) ? (parseExactObject(text) ?? parsed) : parsed;
}

/** Parses a JSON object by {@link parseJson}, or answers `undefined` for anything else. */
export function parseExactObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a JSON object, or answers `undefined` for anything else. */
export function parseObject(text: string): JsonObject | undefined {
  // An error that is thrown and caught costs as much as ten events, and every chat's stream ends with `[DONE]`.
  if (!BEGINS_AN_OBJECT.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
