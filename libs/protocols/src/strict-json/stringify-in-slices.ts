import { freeBuffer, moveInSlices } from '@mg/contract';
import { findCut } from '../find-cut.js';
import { isObject } from '../json.js';
import { escapeBytes } from './escapes.js';
import { holdsControlCharacter } from './holds-control-character.js';
import { JoinedText } from './joined-text.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Characters of a string that are written in one step. */
const SLICE_CHARACTERS = 128 * 1024;
/** Strings from this length on are no part of a run. */
const LONG_STRING_CHARACTERS = 8 * 1024;
/** A short string weighs as much as so many values as it has times these characters. */
export const CHARACTERS_PER_VALUE = 64;
/** What weighs less is written by `JSON.stringify` at once; in values. */
export const LIGHT = 500;
/** What is written in one step: a millisecond or two. */
const STEP = 5_000;
/** The name of a member that is written apart from its object, in values. */
const NAME_WEIGHT = 1;

/**
 * Writes a value as `JSON.stringify` does, in steps, none of which takes long: long strings slice after slice, lists and
 * objects of many values in runs.
 *
 * @param value of JSON: plain objects, lists, strings, numbers, `undefined`, and integers kept as they were written.
 * @param pause is waited for between two steps.
 */
export async function stringifyInSlices(value: unknown, pause: () => Promise<void>): Promise<Buffer> {
  const writer = new SlicedWriter(pause);
  await writer.write(value);
  return moveInSlices(writer.end(), pause);
}

/** Names of an object's members. */
type NamesOf = (object: object) => readonly string[];

class SlicedWriter {
  readonly #pieces: Buffer[] = [];
  /** Names of objects of many members, which are weighed once for each level that they lie in: listing ten thousand takes two milliseconds. */
  readonly #names = new Map<object, readonly string[]>();
  /** What is written and not yet turned into bytes. */
  #text = '';
  /** What has been written in this step, in values. */
  #weight = 0;

  constructor(private readonly pause: () => Promise<void>) {}

  end(): readonly Buffer[] {
    this.#flush();
    return this.#pieces;
  }

  async write(value: unknown): Promise<void> {
    if (typeof value === 'string' && value.length > SLICE_CHARACTERS) return this.#writeLong([value]);
    if (value instanceof JoinedText) return this.#writeLong(value.pieces);
    const weight = weigh(value, LIGHT, this.#namesOf);
    if (weight < LIGHT || typeof value === 'string') {
      // What JSON has no word for stands as `null` in lists; members of the kind are left out before.
      return this.#add(JSON.stringify(value) ?? 'null', weight);
    }
    if (Array.isArray(value)) await this.#writeList(value);
    else await this.#writeObject(value as Record<string, unknown>);
  }

  async #writeList(list: readonly unknown[]): Promise<void> {
    this.#text += '[';
    for (let start = 0; start < list.length;) {
      if (start > 0) this.#text += ',';
      const { end, weight } = findRun(list, start, this.#namesOf);
      if (end === start) await this.write(list[start++]);
      else await this.#add(JSON.stringify(list.slice(start, end)).slice(1, -1), weight);
      start = Math.max(start, end);
    }
    this.#text += ']';
  }

  async #writeObject(object: Readonly<Record<string, unknown>>): Promise<void> {
    let before = '{';
    for (const name of this.#namesOf(object)) {
      const value = object[name];
      if (value === undefined) continue;
      this.#text += `${before}${JSON.stringify(name)}:`;
      before = ',';
      const weight = weigh(value, LIGHT, this.#namesOf);
      if (weight >= LIGHT) await this.write(value);
      // There may be tens of thousands, and waiting for each would take longer than writing it.
      else if (this.#note(JSON.stringify(value) ?? 'null', NAME_WEIGHT + weight)) await this.#step();
    }
    this.#text += before === '{' ? '{}' : '}';
  }

  /** Slices become bytes without what was written before: joining the two would copy the slice in V8's heap. */
  async #writeLong(texts: readonly string[]): Promise<void> {
    this.#text += '"';
    this.#flush();
    let inStep = 0;
    for (const text of texts) {
      for (let start = 0; start < text.length;) {
        const end = findCut(text, start + SLICE_CHARACTERS);
        this.#pieces.push(writeSlice(text.slice(start, end)));
        inStep += end - start;
        start = end;
        if (inStep < SLICE_CHARACTERS / 2) continue;
        inStep = 0;
        await this.#step();
      }
    }
    this.#text += '"';
  }

  readonly #namesOf = (object: object): readonly string[] => {
    const known = this.#names.get(object);
    if (known) return known;
    const names = Object.keys(object);
    if (names.length >= LIGHT) this.#names.set(object, names);
    return names;
  };

  async #add(text: string, weight: number): Promise<void> {
    if (this.#note(text, weight)) await this.#step();
  }

  /** @returns whether enough has been written in this step. */
  #note(text: string, weight: number): boolean {
    this.#text += text;
    this.#weight += weight;
    return this.#weight >= STEP || this.#text.length >= SLICE_CHARACTERS;
  }

  async #step(): Promise<void> {
    this.#flush();
    this.#weight = 0;
    await this.pause();
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** What `JSON.stringify` writes of it between the quotes. Of a text without halves of characters no further string is made. */
function writeSlice(text: string): Buffer {
  if (!text.isWellFormed()) return Buffer.from(JSON.stringify(text)).subarray(1, -1);
  const bytes = Buffer.from(text);
  const isEscaped = bytes.includes(QUOTE) || bytes.includes(BACKSLASH) || holdsControlCharacter(bytes);
  if (!isEscaped) return bytes;
  const escaped = escapeBytes(bytes);
  freeBuffer(bytes);
  return escaped;
}

/** The elements from `start` on that are light together; none where the first one is not. */
function findRun(list: readonly unknown[], start: number, namesOf: NamesOf): { end: number; weight: number } {
  let weight = 0;
  for (let end = start; end < list.length; end++) {
    const more = weigh(list[end], LIGHT - weight, namesOf);
    if (weight + more >= LIGHT) return { end, weight };
    weight += more;
  }
  return { end: list.length, weight };
}

/** How long a value takes to write, in values of up to 64 characters; not looked at further where it is `limit` or more. */
export function weigh(value: unknown, limit = LIGHT, namesOf: NamesOf = Object.keys): number {
  if (typeof value === 'string' || value instanceof JoinedText) {
    return value.length >= LONG_STRING_CHARACTERS ? LIGHT : 1 + value.length / CHARACTERS_PER_VALUE;
  }
  if (typeof value !== 'object' || value === null) return 1;
  // An integer that was kept as it was written is written in one go.
  if (JSON.isRawJSON(value)) return Math.min(LIGHT - 1, 1 + value.rawJSON.length / CHARACTERS_PER_VALUE);
  let weight = 1;
  if (Array.isArray(value)) {
    if (value.length >= limit) return limit;
    for (const item of value) if (weight < limit) weight += weigh(item, limit - weight, namesOf);
  } else if (isObject(value)) {
    for (const name of namesOf(value)) {
      if (weight >= limit) break;
      weight += name.length / CHARACTERS_PER_VALUE + weigh(value[name], limit - weight, namesOf);
    }
  }
  return weight;
}
