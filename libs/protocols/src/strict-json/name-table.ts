const UNDERSCORE = 0x5f;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;

/**
 * Two 32-bit hashes of a text: equal texts have equal hashes, and different texts practically never do. A false match
 * would only refuse a body.
 */
export interface NameHash {
  readonly first: number;
  readonly second: number;
}

/** One spelling of a known name. */
interface Spelling extends NameHash {
  readonly text: string;
}

/** A name that the gateway or an upstream reads. */
export interface KnownName {
  /** More than one where the provider accepts two spellings of the same member. */
  readonly spellings: readonly Spelling[];
  /** Hash of the folded name. */
  readonly folded: NameHash;
  /** Whether what the member holds is the caller's own data, whose names are not compared with known ones. */
  readonly holdsOwnData: boolean;
  /** The same for a member at the top level of the body. */
  readonly holdsOwnDataAtTop: boolean;
}

export const FIRST_SEED = 0x811c9dc5 | 0;
export const SECOND_SEED = 0x2545f491 | 0;

export function mixFirst(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export function mixSecond(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

export function hashName(text: string): NameHash {
  let first = FIRST_SEED;
  let second = SECOND_SEED;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = mixFirst(first, code);
    second = mixSecond(second, code);
  }
  return { first, second };
}

/** What a character reads like, where that is ASCII; by code point. Found out once: it takes a microsecond, and a body may have millions. */
const READINGS = new Map<number, string>();
/** 1 for characters that read like nothing in ASCII. No other plane has one that does. */
const READS_FOREIGN = new Uint8Array(0x20000);
const BEYOND_ASCII = /[^\0-\x7f]/;

export interface NameTableOptions {
  readonly names: readonly string[];
  /** Names whose members hold the caller's own data, anywhere but at the top level. */
  readonly ownData: readonly string[];
  /** The same at the top level. */
  readonly ownDataAtTop: readonly string[];
  /** Whether each name may also be written in snake_case, and underscores do not tell names apart. */
  readonly ignoresUnderscores: boolean;
}

/**
 * The known names of a family of protocols, found by their folded form: readers such as Go's `encoding/json` take
 * `Model`, `MODEL` and `modeL` for `model`, and `ſ` and the Kelvin sign for `s` and `k`.
 *
 * @see https://pkg.go.dev/encoding/json#Unmarshal
 */
export class NameTable {
  readonly ignoresUnderscores: boolean;
  readonly #byFold = new Map<number, KnownName>();
  /** Letters of the longest name; all of them are ASCII. */
  #longest = 0;

  constructor({ names, ownData, ownDataAtTop, ignoresUnderscores }: NameTableOptions) {
    this.ignoresUnderscores = ignoresUnderscores;
    for (const name of new Set([...names, ...ownData, ...ownDataAtTop])) {
      this.#longest = Math.max(this.#longest, name.length);
      const folded = hashName(this.fold(name));
      // `responseJsonSchema` and `_responseJsonSchema` are one to who ignores underscores: both may be sent, one at a time.
      const others = this.find(folded.first, folded.second)?.spellings.map(({ text }) => text) ?? [];
      const spellings = ignoresUnderscores ? [...others, name, toSnakeCase(name)] : [name];
      this.#byFold.set(folded.first, {
        spellings: [...new Set(spellings)].map((text) => ({ text, ...hashName(text) })),
        folded,
        holdsOwnData: ownData.includes(name),
        holdsOwnDataAtTop: ownDataAtTop.includes(name),
      });
    }
  }

  /** A name as readers see it that do not tell cases apart. */
  fold(name: string): string {
    const folded = foldText(name);
    return this.ignoresUnderscores ? folded.replaceAll('_', '') : folded;
  }

  /** @param first, second hashes of a folded name. */
  find(first: number, second: number): KnownName | undefined {
    const known = this.#byFold.get(first);
    return known?.folded.second === second ? known : undefined;
  }

  /**
   * The known name that a name reads like. It is folded character by character: what is not ASCII then never becomes it beside
   * others. A ligature of Arabic would become eighteen letters.
   */
  findFolded(name: string): KnownName | undefined {
    let first = FIRST_SEED;
    let second = SECOND_SEED;
    let length = 0;
    for (let at = 0; at < name.length; at++) {
      const point = name.codePointAt(at) ?? 0;
      if (point > 0xffff) at++;
      const letters = readAsAscii(point);
      if (letters === undefined) return undefined;
      for (let index = 0; index < letters.length; index++) {
        const code = letters.charCodeAt(index);
        if (code === UNDERSCORE && this.ignoresUnderscores) continue;
        if (++length > this.#longest) return undefined;
        first = mixFirst(first, code);
        second = mixSecond(second, code);
      }
    }
    return this.find(first, second);
  }

  /** The known name that bytes of ASCII without escapes read like. */
  findWritten(bytes: Buffer, from: number, to: number): KnownName | undefined {
    let first = FIRST_SEED;
    let second = SECOND_SEED;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === UNDERSCORE && this.ignoresUnderscores) continue;
      const lower = byte >= UPPER_A && byte <= UPPER_Z ? byte + 0x20 : byte;
      first = mixFirst(first, lower);
      second = mixSecond(second, lower);
    }
    return this.find(first, second);
  }

  /** Whether a name is a known one as it is spelt. */
  has(name: string): boolean {
    return this.findFolded(name)?.spellings.some(({ text }) => text === name) === true;
  }

  /** The spelling that a name should have had, where it reads like a known name and is none. */
  findOther(name: string): string | undefined {
    const known = this.findFolded(name);
    return known?.spellings.some(({ text }) => text === name) === false
      ? known.spellings[0]?.text
      : undefined;
  }
}

/** A text as readers see it that tell neither cases nor forms of letters apart. */
function foldText(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase();
}

function readAsAscii(point: number): string | undefined {
  if (point >= READS_FOREIGN.length || READS_FOREIGN[point] === 1) return undefined;
  const known = READINGS.get(point);
  if (known !== undefined) return known;
  const letters = foldText(String.fromCodePoint(point));
  if (BEYOND_ASCII.test(letters)) {
    READS_FOREIGN[point] = 1;
    return undefined;
  }
  READINGS.set(point, letters);
  return letters;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
