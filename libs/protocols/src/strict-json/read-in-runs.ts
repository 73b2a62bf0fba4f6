import { randomUUID } from 'node:crypto';
import { isObject, LONG_INTEGER, parseJson } from '../json.js';
import { decodeInSlices, decodeString, SLICE_BYTES } from './decode-strings.js';
import type { JsonCut, JsonOutline, LiftedSpan } from './json-outline.js';
import type { JoinedText } from './joined-text.js';
import { mergeRun, setMember } from './merge-run.js';

/** A JSON text, read. */
export interface ReadJson {
  readonly value: unknown;
  /** The same with integers beyond 2^53 as they were written, opaque. */
  readonly exact: unknown;
}

/** One run of a text, ready for `JSON.parse`. */
interface Run {
  readonly text: string;
  /** What was open before it. */
  readonly open: JsonCut['open'];
  /** Its first and its last lifted string; none when equal. */
  readonly firstText: number;
  readonly endText: number;
}

/**
 * Reads a large JSON text in steps, none of which takes long: long strings are decoded by themselves, slice after slice,
 * and the rest is cut into runs, each of which `JSON.parse` reads as if it were all there is. The outcome is what
 * `JSON.parse` would have made of the whole text.
 *
 * @param outline of the whole text.
 * @param pause is waited for between two steps.
 * @param flatBytes longer strings come in pieces, as `JoinedText`.
 * @throws SyntaxError
 */
export async function readInRuns(
  body: Buffer,
  outline: JsonOutline,
  pause: () => Promise<void>,
  flatBytes = Infinity,
): Promise<ReadJson> {
  if (outline.isBroken) throw new SyntaxError('The text is no JSON.');
  // Nobody can write a string that is taken for a mark.
  const reader = new RunReader(body, outline, { mark: randomUUID(), pause, flatBytes });
  const value = await reader.read(JSON.parse);
  return { value, exact: reader.holdsLongIntegers ? await reader.read(parseJson) : value };
}

class RunReader {
  holdsLongIntegers = false;
  /** The lifted strings, decoded. */
  readonly #texts: (string | JoinedText)[] = [];

  constructor(
    private readonly body: Buffer,
    private readonly outline: JsonOutline,
    private readonly reading: {
      readonly mark: string;
      readonly pause: () => Promise<void>;
      readonly flatBytes: number;
    },
  ) {}

  /** @throws SyntaxError */
  async read(parse: (text: string) => unknown): Promise<unknown> {
    const { mark, pause } = this.reading;
    let whole: unknown;
    for await (const { text, open, firstText, endText } of this.#listRuns()) {
      this.holdsLongIntegers ||= LONG_INTEGER.test(text);
      const parsed = parse(text);
      const value = firstText === endText ? parsed : fillIn(parsed, mark, this.#texts);
      if (open.length === 0) whole = value;
      else mergeRun(whole, value, { open, mark, readName: (span) => decodeString(this.body, span) });
      await pause();
    }
    return whole;
  }

  async *#listRuns(): AsyncGenerator<Run> {
    const { cuts } = this.outline;
    const lifted = this.outline.lifted.values();
    let next = lifted.next();
    let firstText = 0;
    for (let index = 0; index <= cuts.length; index++) {
      const { open, at: start } = cuts[index - 1] ?? { open: [], at: -1 };
      const { open: closing, at: end } = cuts[index] ?? { open: [], at: this.body.length };
      const inside: LiftedSpan[] = [];
      for (; next.value && next.value.start < end; next = lifted.next()) inside.push(next.value);
      const strings = await this.#decode(
        inside.filter(({ isString }) => isString),
        firstText,
      );
      const inner = this.#markOut(start + 1, end, inside, firstText);
      // Two commas with nothing between them: the brackets around would make an empty list of it.
      if (inner.trim() === '') throw new SyntaxError('A value is missing.');
      const text = openAgain(open, this.reading.mark) + inner + close(closing);
      yield { text, open, firstText, endText: firstText + strings };
      firstText += strings;
    }
  }

  /** @returns how many there are. */
  async #decode(spans: readonly LiftedSpan[], firstText: number): Promise<number> {
    const { pause, flatBytes } = this.reading;
    let bytes = 0;
    for (const [index, span] of spans.entries()) {
      this.#texts[firstText + index] ??= await decodeInSlices(this.body, span, pause, flatBytes);
      bytes += span.end - span.start;
      if (bytes < SLICE_BYTES) continue;
      bytes = 0;
      await pause();
    }
    return spans.length;
  }

  /** The text between two places, with a mark in place of each lifted string. */
  #markOut(from: number, to: number, lifted: readonly LiftedSpan[], firstText: number): string {
    const parts: string[] = [];
    let at = from;
    let index = firstText;
    for (const { start, end, isString } of lifted) {
      parts.push(this.body.toString('utf8', at, start), isString ? `"${this.reading.mark}${index++}"` : ' ');
      at = end;
    }
    parts.push(this.body.toString('utf8', at, to));
    return parts.join('');
  }
}

/** Brackets that are open where a run begins; in objects the member that is being read bears the mark as its name. */
function openAgain(open: JsonCut['open'], mark: string): string {
  const last = open.length - 1;
  return open.map(({ isObject }, level) => (isObject ? (level < last ? `{"${mark}":` : '{') : '[')).join('');
}

function close(open: JsonCut['open']): string {
  return open
    .map(({ isObject }) => (isObject ? '}' : ']'))
    .toReversed()
    .join('');
}

/** Puts the long strings where their marks stand. Changes `value` itself, which nobody else has seen yet. */
function fillIn(value: unknown, mark: string, texts: readonly (string | JoinedText)[]): unknown {
  if (typeof value === 'string') {
    return value.startsWith(mark) ? (texts[Number(value.slice(mark.length))] ?? value) : value;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (mayHoldMarks(item)) value[index] = fillIn(item, mark, texts);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (mayHoldMarks(item)) setMember(value, name, fillIn(item, mark, texts));
    }
  }
  return value;
}

function mayHoldMarks(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
