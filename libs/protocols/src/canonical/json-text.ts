import { INNER_SHAPE, JsonShape } from '../framing/json-shape.js';
import { isObject, type JsonObject, parseExactObject, parseObject } from '../json.js';

/** Instructs a model to answer in JSON where no setting does, or where the provider wants it in the prompt as well. */
export const JSON_ONLY = 'Answer with one JSON object only: no prose, no code fences.';

/** Longer arguments than a model writes in its longest answer are not parsed: it takes ten milliseconds for so many. */
const MAX_PARSED_CHARACTERS = 1024 * 1024;

/** As deep as an answer of a provider may be. Writing JSON takes a piece of the stack for each level. */
const MAX_DEPTH = 256;
/** What opens and closes each level. */
const LEVEL_CHARACTERS = 2;
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Shorter texts are parsed in one step, whatever they are made of: it takes a millisecond, or several where they are all names. */
export const STEP_CHARACTERS = 64 * 1024;

/** Whether arguments are so long that they are kept as text. */
export function isTextTooLong(text: string): boolean {
  return text.length > MAX_PARSED_CHARACTERS;
}

/** Whether arguments are parsed at all, and not kept as text for their length, their depth or their names. */
export function isParsed(text: string): boolean {
  if (isTextTooLong(text)) return false;
  if (text.length <= STEP_CHARACTERS) return !isTextTooDeep(text);
  return new JsonShape(INNER_SHAPE).push(Buffer.from(text));
}

/** Whether JSON is nested deeper than it can be written again. */
export function isTextTooDeep(text: string): boolean {
  return text.length > MAX_DEPTH * LEVEL_CHARACTERS && findOpen(text) > MAX_DEPTH;
}

/** How many objects and lists are open at the end of a text, or where they are too many. */
function findOpen(text: string): number {
  const reading = { at: 0, depth: 0 };
  readOn(text, reading, text.length);
  return reading.depth;
}

/** How far a text has been read, and how many objects and lists are open there. */
interface Reading {
  at: number;
  depth: number;
}

/** Reads on to about `end`, or to where too many are open. */
function readOn(text: string, reading: Reading, end: number): void {
  let { at, depth } = reading;
  for (; at < end && depth <= MAX_DEPTH; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at + 1);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
  }
  reading.at = at;
  reading.depth = depth;
}

function findEndOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Arguments that were written as JSON before they are asked for. */
const WRITTEN = new WeakMap<object, string>();

/** Whether that has been noted. */
export function isWritten(input: object): boolean {
  return WRITTEN.has(input);
}

/** Notes what arguments are as JSON, where they were written in steps. */
export function noteWritten(input: object, text: string): void {
  WRITTEN.set(input, text);
}

/** Arguments, or what a tool gave back, as JSON. */
export function writeInput(input: unknown): string {
  const written = typeof input === 'object' && input !== null ? WRITTEN.get(input) : undefined;
  return written ?? JSON.stringify(input);
}

/** The arguments of a call as an object: parsed before, where that was done in steps. */
export function readInput({
  input,
  arguments: text,
}: {
  readonly input?: JsonObject;
  readonly arguments: string;
}): JsonObject {
  return input ?? readArguments(text);
}

/**
 * Reads the arguments of a call, which models write as JSON text. None is an empty object; what is not a JSON object, or far
 * longer or deeper, or of more names, than any model writes, is kept as text under `_raw`, so that nothing a model said is lost.
 */
export function readArguments(text: string): JsonObject {
  return takeParsed(text, isParsed(text) ? parseExactObject(text) : undefined);
}

/** Arguments out of what their text was parsed to. @param parsed `undefined` for what is no JSON object, or is not parsed. */
export function takeParsed(text: string, parsed: JsonObject | undefined): JsonObject {
  return parsed ?? (!isTextTooLong(text) && text.trim() === '' ? {} : { _raw: text });
}

/** Arguments that are kept as text, as {@link takeParsed} keeps them. */
export function readRaw(input: JsonObject): string | undefined {
  const { _raw: raw } = input;
  return typeof raw === 'string' && Object.keys(input).length === 1 ? raw : undefined;
}

/** Writes arguments as models do; what {@link readArguments} could not read goes back as it was. */
export function writeArguments(input: unknown): string {
  if (!isObject(input)) return '{}';
  return readRaw(input) ?? writeInput(input);
}

/** Whether a call's arguments are whole; of long ones, whether they end where their object does. */
export function areArgumentsWhole(text: string): boolean {
  if (text.length <= STEP_CHARACTERS) return text.trim() === '' || parseObject(text) !== undefined;
  return isWholeByEnds(text) ?? isClosed(findOpen(text));
}

/** The same in steps. @param pause is waited for between two steps. */
export async function areArgumentsWholeInSlices(text: string, pause: () => Promise<void>): Promise<boolean> {
  if (text.length <= STEP_CHARACTERS) return areArgumentsWhole(text);
  const known = isWholeByEnds(text);
  if (known !== undefined) return known;
  const reading = { at: 0, depth: 0 };
  while (reading.at < text.length && reading.depth <= MAX_DEPTH) {
    readOn(text, reading, Math.min(reading.at + STEP_CHARACTERS, text.length));
    await pause();
  }
  return isClosed(reading.depth);
}

/** Blank space around long arguments that is looked through, in characters: no model writes more. */
const BLANK_AROUND = 1024;

/** `undefined` for long arguments that begin and end as an object does: what is between has to be read. */
function isWholeByEnds(text: string): boolean | undefined {
  const beginning = text.slice(0, BLANK_AROUND).trimStart();
  const end = text.slice(-BLANK_AROUND).trimEnd();
  if (!beginning.startsWith('{') || !end.endsWith('}')) return false;
  return isTextTooLong(text) ? true : undefined;
}

function isClosed(open: number): boolean {
  return open === 0 || open > MAX_DEPTH;
}

/** Whether the arguments of a call are whole: found out before, where that was done in steps. */
export function isCallWhole({
  isWhole,
  arguments: text,
}: {
  readonly isWhole?: boolean;
  readonly arguments: string;
}): boolean {
  return isWhole ?? areArgumentsWhole(text);
}

/** Text of base64 data, as UTF-8. */
export function decodeText(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
