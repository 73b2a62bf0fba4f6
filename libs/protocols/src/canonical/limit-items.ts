import type { Block, Turn } from './blocks.js';
import type { SourceFormat } from './codec.js';
import { nameField } from './name-field.js';
import { isObject, type JsonObject } from '../json.js';
import { readList, readObjects } from './read-fields.js';
import { refuseField, throwUpstreamError } from './refuse.js';

/**
 * Most parts, calls and results in one turn of a request that is converted, those within results among them. It takes some
 * milliseconds; between two turns others have theirs. Google takes 3,600 images, others hundreds.
 */
const MOST_IN_TURN = 4_000;
/** Most tools of a request that is converted. Providers take 128 to 1,024. */
const MOST_TOOLS = 2_000;
/** Most stop strings of a request that is converted, and their characters. Bedrock takes 2,500, others 4 or 5. */
const MOST_STOPS = 2_500;
const MOST_STOP_CHARACTERS = 1_024;

/** Most answers that a request may ask for at once. */
export const MOST_CHOICES = 128;

/** Whether the list of an answer's choices is one that a request can have asked for. */
export function isListOfChoices(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_CHOICES;
}

/**
 * What an answer holds is converted at once.
 *
 * @param items citations of all choices together, and parts and calls, which weigh more.
 */
export function holdsTooMuch(items: number): boolean {
  return items > MOST_IN_TURN;
}

/** @throws GatewayError `upstream_error` where an answer holds more than is converted. */
export function limitAnswer(items: number): void {
  if (holdsTooMuch(items))
    throwUpstreamError(
      `The answer of the upstream holds more than ${MOST_IN_TURN} items; a block counts as ${CITATIONS_OF_BLOCK}.`,
    );
}

/**
 * Characters of an answer up to which what it cites has a place in it: offsets count code points or bytes, which takes some milliseconds for
 * so many. No model writes more than 128,000 tokens in one answer, of four characters each.
 */
const MOST_CITED_CHARACTERS = 512 * 1024;

/** Whether citations of an answer with so many characters are passed on. */
export function isCitable(characters: number): boolean {
  return characters <= MOST_CITED_CHARACTERS;
}

/** Citations that take as long to convert as a call, a thought, a part or a picture of an answer. */
const CITATIONS_OF_BLOCK = 4;

/** What blocks of an answer weigh beside citations: a thousand of them are as many items as are converted at once. No model gives as many. */
export function weighBlocks(blocks: number): number {
  return blocks * CITATIONS_OF_BLOCK;
}

/** The lengths of lists together; what is no list has none. */
export function countIn(lists: readonly unknown[]): number {
  return lists.reduce<number>((sum, list) => sum + readList(list).length, 0);
}

/**
 * Items of an answer, and what they hold. A list may be long: it is not looked at further where it holds too much.
 *
 * @param countOf what an item holds.
 * @param own what the items count for by themselves.
 */
export function countHeld(
  items: readonly unknown[],
  countOf: (item: JsonObject) => number,
  own = items.length,
): number {
  let count = own;
  for (const item of items) {
    if (holdsTooMuch(count)) break;
    if (isObject(item)) count += countOf(item);
  }
  return count;
}

/** Entries of a list that says what usage is made up of: kinds of tokens, compactions, searches. Providers have some dozens. */
export const MOST_DETAILS = 1_000;

/** The objects of such a list; what comes after the first thousand entries cannot be true. */
export function readDetails(list: unknown): readonly JsonObject[] {
  return readObjects(readList(list).slice(0, MOST_DETAILS));
}

/** @throws GatewayError `invalid_request` where a turn, or a part of it, holds more than is converted. */
export function limitTurn(items: number, name: string): void {
  if (items > MOST_IN_TURN) refuseField(name, `must hold at most ${MOST_IN_TURN} items`);
}

/**
 * The items of a list and of the lists that they hold.
 *
 * @param listOf what an item holds.
 */
export function countNested<T>(items: readonly T[], listOf: (item: T) => unknown): number {
  let count = items.length;
  for (const item of items) {
    const list = listOf(item);
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}

/** Blocks, and what results among them hold. */
export function countItems(blocks: readonly Block[]): number {
  return countNested(blocks, (block) => (block.type === 'tool-result' ? block.content : undefined));
}

/**
 * Counts the tools of a list, those that other lists of the request hold included.
 *
 * @param before how many those others hold.
 * @throws GatewayError `invalid_request` where a request has more tools than are converted.
 */
export function limitTools(tools: unknown, name = 'tools', before = 0): number {
  const count = before + (Array.isArray(tools) ? tools.length : 0);
  if (count > MOST_TOOLS) refuseField(name, `must hold at most ${MOST_TOOLS} tools`);
  return count;
}

/**
 * The system turns that a conversation begins with, which most providers take as one.
 *
 * @throws GatewayError `invalid_request` where they hold more than one turn may.
 */
export function limitLeading(
  leading: readonly Turn[],
  { client }: { readonly client: Pick<SourceFormat, 'fieldNames'> },
): void {
  const items = leading.reduce((sum, { blocks }) => sum + blocks.length, 0);
  limitTurn(items, nameField('messages', client));
}

/** @throws GatewayError `invalid_request` for more stop strings, or longer ones, than any provider takes. */
export function limitStops(stops: readonly string[], name = 'stop'): readonly string[] {
  if (stops.length > MOST_STOPS || stops.some(({ length }) => length > MOST_STOP_CHARACTERS)) {
    refuseField(name, `must hold at most ${MOST_STOPS} strings of ${MOST_STOP_CHARACTERS} characters`);
  }
  return stops;
}
