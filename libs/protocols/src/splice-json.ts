/** Where a top-level member of a JSON object stands in the raw bytes. */
export interface MemberSpan {
  readonly key: string;
  /** Offsets of the value's bytes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Finds the top-level members of a JSON object in one pass over its bytes, without decoding values.
 *
 * @param body bytes that `JSON.parse` has already accepted as an object.
 */
export function findMembers(body: Buffer): MemberSpan[] {
  const members: MemberSpan[] = [];
  let at = body.indexOf(OPEN_BRACE) + 1;
  while (at < body.length) {
    const keyStart = skipSpaceAndCommas(body, at);
    if (body[keyStart] !== QUOTE) break;
    const keyEnd = skipString(body, keyStart);
    const valueStart = skipSpaceAndColon(body, keyEnd);
    const valueEnd = skipValue(body, valueStart);
    members.push({
      key: JSON.parse(body.toString('utf8', keyStart, keyEnd)) as string,
      valueStart,
      valueEnd,
    });
    at = valueEnd;
  }
  return members;
}

export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces byte ranges, given in order and apart from each other; every other byte stays as it is. */
export function replaceRanges(body: Buffer, replacements: readonly Replacement[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of replacements) {
    parts.push(body.subarray(at, start), Buffer.from(text, 'utf8'));
    at = end;
  }
  parts.push(body.subarray(at));
  return Buffer.concat(parts);
}

function skipSpaceAndCommas(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && (isSpace(body[at]) || body[at] === COMMA)) at++;
  return at;
}

function skipSpaceAndColon(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && (isSpace(body[at]) || body[at] === COLON)) at++;
  return at;
}

/** Offset just after the string that begins at `from`. */
function skipString(body: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = body.indexOf(QUOTE, at);
    if (quote < 0) return body.length;
    if (!isEscaped(body, quote)) return quote + 1;
    at = quote + 1;
  }
}

function isEscaped(body: Buffer, quote: number): boolean {
  let slashes = 0;
  while (body[quote - 1 - slashes] === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

function skipValue(body: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < body.length) {
    const byte = body[at];
    if (byte === QUOTE) {
      at = skipString(body, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth--;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at;
    at++;
  }
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
