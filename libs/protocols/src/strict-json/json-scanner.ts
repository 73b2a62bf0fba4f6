import { GatewayError, isStorableText, toStorableText, UNSTORABLE_RULE } from '@mg/contract';
import { refuseField } from '../canonical/refuse.js';
import type { MemberSpan } from '../splice-json.js';
import { findStringEnd } from './find-string-end.js';
import type { JsonLimits } from './json-limits.js';
import type { JsonOutline } from './json-outline.js';
import { type Frame, MemberFrames } from './member-frames.js';
import {
  FIRST_SEED,
  hashName,
  type KnownName,
  mixFirst,
  mixSecond,
  type NameTable,
  SECOND_SEED,
} from './name-table.js';
import { Utf8Checker } from './utf8-checker.js';

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

/** 1 for bytes that end a number, `true`, `false` or `null`. */
const ENDS_SCALAR = new Uint8Array(256);
for (const byte of [SPACE, NEWLINE, RETURN, TAB, COMMA, QUOTE, CLOSE_BRACKET, CLOSE_BRACE])
  ENDS_SCALAR[byte] = 1;

const IS_SPACE = new Uint8Array(256);
for (const byte of [SPACE, NEWLINE, RETURN, TAB]) IS_SPACE[byte] = 1;

function isLowerCase(byte: number): boolean {
  return byte >= LOWER_A && byte <= LOWER_Z;
}

/** A name as it is written, quotes included. */
interface Written {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** What is counted, as errors call it. */
const COUNTED = {
  members: 'members',
  topMembers: 'members at the top level',
  newNames: 'different names',
  containers: 'objects and arrays',
  strings: 'strings',
  scalars: 'numbers',
} as const;

const NONE: Buffer = Buffer.alloc(0);
/** Bytes that are read in one go, with a text of them beside. */
const PIECE_BYTES = 64 * 1024;

/**
 * Reads the structure of a JSON body while it comes in, in time that grows with its length whatever it holds, and refuses
 * what two readers could understand differently: a name twice in one object, and a name that differs from a known one only
 * in case. It also refuses what would cost `JSON.parse` too much. Grammar is left to `JSON.parse`, which reads the body
 * afterwards: what this class says is right for every body that `JSON.parse` accepts.
 *
 * One object for one body. Every method throws a GatewayError `invalid_request` that names the member.
 */
export class JsonScanner {
  readonly #names: NameTable;
  readonly #limits: JsonLimits;
  readonly #utf8 = new Utf8Checker();
  readonly #frames = new MemberFrames();
  /** The innermost object or array. */
  #top: Frame | undefined;
  /** Where the body can be cut into runs that are quick to parse; of use once it has ended. */
  readonly outline: JsonOutline | undefined;
  /** Offset in the body of the quote that the string being read began with. */
  #stringStart = 0;
  readonly #members: { key: string; keyStart: number; valueStart: number; valueEnd: number }[] = [];
  /** Offset in the body of the first byte that is being read. */
  #base = 0;
  /** A name or a number that the end of a chunk has cut: read again with the next one. */
  #cut: Buffer = NONE;
  /** What is being read, a character for each byte; nothing where it is the inside of a string. */
  #text = '';
  #isInString = false;
  /** Whether the string's last byte so far is a backslash that escapes the next one. */
  #isEscaped = false;
  #hasRoot = false;
  /** Depth of the object whose names are the caller's own; none when 0. */
  #ownDataDepth = 0;
  #opensOwnData = false;
  #memberCount = 0;
  #allNameBytes = 0;
  /** Hashes of the names that are not known. */
  readonly #newNames = new Set<number>();
  #containerCount = 0;
  #stringCount = 0;
  #scalarCount = 0;

  /** @param outline for a body that may be so large that it is parsed in steps. */
  constructor(names: NameTable, limits: JsonLimits, outline?: JsonOutline) {
    this.#names = names;
    this.outline = outline;
    this.#limits = limits;
  }

  /** Objects, arrays and different names so far: what takes time to parse and convert, however few bytes it has. */
  get parts(): number {
    return this.#containerCount + this.#newNames.size;
  }

  push(chunk: Buffer): void {
    if (!this.#utf8.push(chunk)) refuseField('body', 'must be UTF-8');
    for (let at = 0; at < chunk.length; at += PIECE_BYTES)
      this.#readPiece(chunk.subarray(at, at + PIECE_BYTES));
  }

  #readPiece(piece: Buffer): void {
    const bytes = this.#cut.length > 0 ? Buffer.concat([this.#cut, piece]) : piece;
    this.#cut = NONE;
    // Where a long string goes on there is nothing to look for, and the text would be garbage.
    this.#text = this.#isInString && !bytes.includes(QUOTE) ? '' : bytes.toString('latin1');
    let at = this.#isInString ? this.#readString(bytes, 0) : 0;
    while (at < bytes.length) at = this.#readToken(bytes, at);
    this.#base += bytes.length - this.#cut.length;
    this.#text = '';
  }

  /**
   * The body has ended.
   *
   * @returns the members at its top level and where their values stand; none where it is no object.
   */
  end(): readonly MemberSpan[] {
    if (!this.#utf8.end()) refuseField('body', 'must be UTF-8');
    const isCutAfterRoot = this.#cut.length > 0 && this.#hasRoot;
    if (this.#frames.depth > 0 || this.#isInString || isCutAfterRoot) refuseGrammar();
    this.outline?.end(this.#base);
    return this.#members;
  }

  /** @returns where the next token begins. */
  #readToken(bytes: Buffer, at: number): number {
    const top = this.#top;
    const byte = bytes[at] ?? 0;
    switch (byte) {
      case SPACE:
      case NEWLINE:
      case RETURN:
      case TAB:
        return this.#skipSpace(bytes, at);
      case COLON:
        return at + 1;
      case COMMA:
        if (top?.isObject) top.awaitsName = true;
        else if (top) top.index++;
        this.outline?.comma(this.#base + at);
        return at + 1;
      case QUOTE:
        if (top?.awaitsName) return this.#readName(bytes, at, top);
        this.#beginValue(at);
        if (++this.#stringCount > this.#limits.strings) this.#refuseCount('strings');
        this.#stringStart = this.#base + at;
        return this.#readString(bytes, at + 1);
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#open(byte === OPEN_BRACE, at);
        return at + 1;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.#close(at);
        return at + 1;
      default:
        return this.#readScalar(bytes, at);
    }
  }

  #skipSpace(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && IS_SPACE[bytes[at] ?? 0] === 1) at++;
    this.outline?.space(this.#base + from, this.#base + at);
    return at;
  }

  #open(isObject: boolean, at: number): void {
    this.#beginValue(at);
    const opensOwnData = this.#opensOwnData;
    this.#opensOwnData = false;
    if (++this.#containerCount > this.#limits.containers) this.#refuseCount('containers');
    if (this.#frames.depth === this.#limits.depth) refuseField('body', 'is nested too deep');
    this.#top = this.#frames.open(isObject);
    this.outline?.open(isObject);
    if (opensOwnData && this.#ownDataDepth === 0) this.#ownDataDepth = this.#frames.depth;
  }

  #close(at: number): void {
    if (this.#frames.depth === 0) refuseGrammar();
    if (this.#frames.depth === this.#ownDataDepth) this.#ownDataDepth = 0;
    this.#top = this.#frames.close();
    this.outline?.close();
    this.#endValue(at + 1);
  }

  #beginValue(at: number): void {
    const { depth } = this.#frames;
    if (depth > 1) return;
    if (depth === 1) {
      const member = this.#members.at(-1);
      if (member && this.#isMember()) member.valueStart = this.#base + at;
    } else if (this.#hasRoot) refuseGrammar();
    this.#hasRoot = true;
  }

  #endValue(end: number): void {
    if (this.#frames.depth !== 1 || !this.#isMember()) return;
    const member = this.#members.at(-1);
    if (member) member.valueEnd = this.#base + end;
  }

  #isMember(): boolean {
    return this.#top?.isObject === true;
  }

  /** @param from where the string goes on, after its quote. @returns where the next token begins. */
  #readString(bytes: Buffer, from: number): number {
    const { length } = bytes;
    const end = findStringEnd(bytes, this.#text, this.#isEscaped ? from + 1 : from);
    this.#isInString = end >= length;
    this.#isEscaped = end > length;
    if (this.#isInString) return length;
    this.#opensOwnData = false;
    this.outline?.string(this.#stringStart, this.#base + end + 1);
    this.#endValue(end + 1);
    return end + 1;
  }

  /** Reads a number, `true`, `false` or `null`. */
  #readScalar(bytes: Buffer, from: number): number {
    let at = from;
    let hasExponent = false;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (ENDS_SCALAR[byte] === 1) break;
      if (byte === LOWER_E || byte === UPPER_E) hasExponent = true;
    }
    const isNumber = isNumberStart(bytes[from]);
    if (at - from > this.#limits.numberLength) {
      if (!isNumber) refuseGrammar();
      refuseField(this.#nameValue(), `holds a number of more than ${this.#limits.numberLength} digits`);
    }
    if (at === bytes.length) return this.#keep(bytes, from);
    this.#beginValue(from);
    this.#opensOwnData = false;
    if (++this.#scalarCount > this.#limits.scalars) this.#refuseCount('scalars');
    // Without an exponent no number of so few digits can be too large.
    if (isNumber && hasExponent && Math.abs(Number(bytes.toString('latin1', from, at))) === Infinity) {
      refuseField(this.#nameValue(), 'holds a number that is too large');
    }
    this.#endValue(at);
    return at;
  }

  #readName(bytes: Buffer, from: number, top: Frame): number {
    let isPlain = true;
    let isFolded = true;
    let first = FIRST_SEED;
    let second = SECOND_SEED;
    let at = from + 1;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) break;
      if (!isLowerCase(byte)) {
        isFolded = false;
        if (byte === BACKSLASH || byte >= 0x80) isPlain = false;
        if (byte === BACKSLASH) at++;
      }
      first = mixFirst(first, byte);
      second = mixSecond(second, byte);
    }
    if (at - from > this.#limits.nameBytes) refuseField(this.#nameValue(), 'holds a name that is too long');
    if (at >= bytes.length) return this.#keep(bytes, from);
    this.#allNameBytes += at - from;
    if (this.#allNameBytes > this.#limits.allNameBytes) {
      refuseField(
        this.#nameValue(),
        `makes the names in the body longer than ${this.#limits.allNameBytes} bytes`,
      );
    }
    const text: Written = { bytes, from, to: at + 1 };
    this.outline?.string(this.#base + from, this.#base + at + 1);
    this.outline?.name(this.#base + from, this.#base + at + 1);
    if (isPlain) {
      const known = isFolded ? this.#names.find(first, second) : this.#names.findWritten(bytes, from + 1, at);
      this.#takeName(top, first, second, known, text);
    } else this.#takeEscapedName(top, text);
    return bytes[at + 1] === COLON ? at + 2 : at + 1;
  }

  /** A name with escapes or letters beyond ASCII. */
  #takeEscapedName(top: Frame, text: Written): void {
    const name = parseName(text);
    if (!isStorableText(name)) {
      if (this.#frames.depth === 1) refuseField(toStorableText(name), UNSTORABLE_RULE);
      refuseField(this.#nameValue(), 'holds a name with NUL or half a surrogate pair');
    }
    const { first, second } = hashName(name);
    this.#takeName(top, first, second, this.#names.findFolded(name), text);
  }

  #takeName(top: Frame, first: number, second: number, known: KnownName | undefined, text: Written): void {
    const frames = this.#frames;
    top.awaitsName = false;
    if (++this.#memberCount > this.#limits.members) this.#refuseCount('members');
    if (!known && this.#newNames.add(first).size > this.#limits.newNames) this.#refuseCount('newNames');
    if (!frames.add(top, first, second)) refuseField(frames.nameMember(parseName(text)), 'is there twice');
    top.name = undefined;
    const isAtTop = frames.depth === 1;
    if (known && this.#ownDataDepth === 0) {
      top.name = findSpelling(known, first, second);
      if (top.name === undefined) {
        refuseField(frames.nameMember(parseName(text)), `is another spelling of ${known.spellings[0]?.text}`);
      }
      const sibling = known.spellings.length > 1 && frames.findSibling(top, known, { first, second });
      if (sibling) refuseField(frames.nameMember(top.name), `is the same member as ${sibling}`);
    }
    this.#opensOwnData = known === undefined || (isAtTop ? known.holdsOwnDataAtTop : known.holdsOwnData);
    if (!isAtTop) return;
    if (this.#members.length >= this.#limits.topMembers) this.#refuseCount('topMembers');
    top.name ??= parseName(text);
    this.#members.push({ key: top.name, keyStart: this.#base + text.from, valueStart: 0, valueEnd: 0 });
  }

  /** Keeps a copy of what the chunk's end has cut, for the next one: the chunk itself may be freed. */
  #keep(bytes: Buffer, from: number): number {
    this.#cut = Buffer.from(bytes.subarray(from));
    return bytes.length;
  }

  /** The member at the top level that is being read, for errors about what it holds. */
  #nameValue(): string {
    return this.#members.at(-1)?.key ?? 'body';
  }

  #refuseCount(kind: keyof typeof COUNTED): never {
    const what = `${this.#limits[kind]} ${COUNTED[kind]}`;
    return refuseField(this.#nameValue(), `makes the body hold more than ${what}`);
  }
}

function isNumberStart(byte = 0): boolean {
  return byte === MINUS || (byte >= ZERO && byte <= NINE);
}

function findSpelling(known: KnownName, first: number, second: number): string | undefined {
  for (const spelling of known.spellings) {
    if (spelling.first === first && spelling.second === second) return spelling.text;
  }
  return undefined;
}

function parseName({ bytes, from, to }: Written): string {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as string;
  } catch {
    return refuseGrammar();
  }
}

function refuseGrammar(): never {
  throw new GatewayError('invalid_request', 'The body is not valid JSON.', { param: 'body' });
}
