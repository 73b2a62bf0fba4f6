import type { StoredBytes } from './exchange/stored-bytes.js';
import type { NameTable } from './strict-json/name-table.js';
import { scanBody } from './strict-json/scanned-body.js';

/** Where a top-level member of a JSON object stands in the raw bytes. */
export interface MemberSpan {
  readonly key: string;
  /** Offset of the name's quote. */
  readonly keyStart: number;
  /** Offsets of the value's bytes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** JSON of a value, in pieces where it is large. */
export type Written = string | Buffer | readonly Buffer[];

/** JSON of new values by name; `undefined` takes a member out. */
type Changes = ReadonlyMap<string, Written | undefined>;

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: Written;
}

/** Bodies up to this size are copied when they are edited; the pieces of larger ones are sent one after another. */
const MAX_COPIED_BYTES = 512 * 1024;

/**
 * Sets members at the top level of a JSON object, in place where it has them and else at its beginning; every other byte
 * stays as it is.
 *
 * @returns the very same buffer when there are no changes. A large body is not copied: it comes in pieces.
 */
export function editBody(body: Buffer, changes: Changes, names?: NameTable): Buffer | StoredBytes {
  const pieces = cutPieces(body, changes, names);
  return body.length > MAX_COPIED_BYTES ? joinPieces(pieces) : joinBuffers(pieces);
}

/** The same in one piece, for parts of a body and for bodies that are edited once more. */
export function editMembers(body: Buffer, changes: Changes, names?: NameTable): Buffer {
  return joinBuffers(cutPieces(body, changes, names));
}

/** The pieces of a body that is edited so, for whoever joins them in steps. */
export function cutPieces(body: Buffer, changes: Changes, names?: NameTable): readonly Buffer[] {
  if (changes.size === 0) return [body];
  const members = scanBody(body, names);
  const isKept = ({ key }: MemberSpan) => !changes.has(key) || changes.get(key) !== undefined;
  const lastKept = members.findLastIndex(isKept);
  const known = new Set(members.map(({ key }) => key));
  const replacements: Replacement[] = [];
  const at = body.indexOf('{') + 1;
  const insert = (text: Written) => replacements.push({ start: at, end: at, text });
  for (const [key, text] of changes) {
    if (text === undefined || known.has(key)) continue;
    insert(`${replacements.length > 0 ? ',' : ''}${JSON.stringify(key)}:`);
    insert(text);
  }
  if (replacements.length > 0 && lastKept >= 0) insert(',');
  members.forEach((member, index) => {
    if (index > lastKept) return;
    const { key, keyStart, valueStart: start, valueEnd: end } = member;
    if (!isKept(member)) {
      replacements.push({ start: keyStart, end: members[index + 1]?.keyStart ?? end, text: '' });
    } else if (changes.has(key)) replacements.push({ start, end, text: changes.get(key) ?? '' });
  });
  const last = members.at(-1);
  if (last && lastKept < members.length - 1) {
    const start = members[lastKept]?.valueEnd ?? members[0]?.keyStart ?? 0;
    replacements.push({ start, end: last.valueEnd, text: '' });
  }
  return replaceRanges(body, replacements);
}

/** The body with byte ranges replaced, which are given in order and apart from each other. */
function replaceRanges(body: Buffer, replacements: readonly Replacement[]): readonly Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of replacements) {
    if (start > at) parts.push(body.subarray(at, start));
    parts.push(...[typeof text === 'string' ? Buffer.from(text, 'utf8') : text].flat());
    at = end;
  }
  parts.push(body.subarray(at));
  return parts;
}

/** In memory of its own: a body may be in use until the end of a stream, and would keep the pool that it is cut out of. */
function joinBuffers(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const joined = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(joined, at);
  return joined;
}

function joinPieces(pieces: readonly Buffer[]): Buffer | StoredBytes {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  return {
    length: pieces.reduce((sum, { length }) => sum + length, 0),
    async *read() {
      yield* pieces;
    },
  };
}
