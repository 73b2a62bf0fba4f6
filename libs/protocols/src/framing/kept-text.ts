import { GrowingText } from '../canonical/growing-text.js';
import { isTooDeep } from '../canonical/refuse.js';
import { joinPieces, readPiecesInSlices, type TextPieces } from '../canonical/text-pieces.js';
import { type JsonObject, parseObject } from '../json.js';
import { readEvents } from './read-events.js';

/** Room for events that are not yet turned into their text: filled again and again, so that a long stream leaves no garbage. */
const ROOM_BYTES = 2 * 1_024;
/** Shorter data cannot be nested so deep that writing them is a danger. */
const SHALLOW_CHARACTERS = 2_048;

/**
 * The text that a stream has produced, kept in case a tokenizer has to count it. Keeping hold of the chunks themselves
 * would keep far more memory alive than their bytes.
 */
export class KeptText {
  readonly #listTexts: (event: JsonObject) => TextPieces;
  readonly #readPlainText: ((data: string) => string | undefined) | undefined;
  #room: Buffer | undefined;
  #used = 0;
  readonly #text = new GrowingText();

  /**
   * @param listTexts the text that an event adds to the answer.
   * @param readPlainText the same text where the event's data show it without being parsed, else `undefined`.
   */
  constructor(
    listTexts: (event: JsonObject) => TextPieces,
    readPlainText?: (data: string) => string | undefined,
  ) {
    this.#listTexts = listTexts;
    this.#readPlainText = readPlainText;
  }

  /** Keeps a copy of a block of whole events. */
  keep(block: Buffer): void {
    if (this.#used + block.length > ROOM_BYTES) this.#fold();
    if (block.length > ROOM_BYTES) {
      this.#read(block);
      return;
    }
    this.#room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
    this.#used += block.copy(this.#room, this.#used);
  }

  /** Adds an event that was parsed already. */
  add(event: JsonObject): void {
    this.#fold();
    if (!isTooDeep(event)) this.#text.add(joinPieces(this.#listTexts(event)));
  }

  /** The same in steps. @param pause is waited for between two steps. */
  async addInSlices(event: JsonObject, pause: () => Promise<void>): Promise<void> {
    this.#fold();
    await readPiecesInSlices(this.#listTexts(event), (text) => this.#text.add(text), pause);
  }

  /** All text so far; in pieces where it is long. */
  read(): string | readonly string[] {
    this.#fold();
    return this.#text.read();
  }

  #fold(): void {
    if (this.#room && this.#used > 0) this.#read(this.#room.subarray(0, this.#used));
    this.#used = 0;
  }

  /** Joined before it is added: a text that grows by a token at a time takes several times its length. */
  #read(events: Buffer): void {
    const texts: string[] = [];
    for (const data of splitPlainEvents(events) ?? listData(events)) {
      texts.push(this.#readPlainText?.(data) ?? this.#readParsed(data));
    }
    this.#text.add(texts.join(''));
  }

  #readParsed(data: string): string {
    const event = parseObject(data);
    if (!event || (data.length > SHALLOW_CHARACTERS && isTooDeep(event))) return '';
    return joinPieces(this.#listTexts(event));
  }
}

const FIELD = 'data: ';
const END = '\n\n';

/**
 * The data of events that are one line of data each, as nearly all providers write them; `undefined` where one is anything
 * else.
 */
function splitPlainEvents(events: Buffer): string[] | undefined {
  const text = events.toString('utf8');
  if (!text.endsWith(END) || text.includes('\r')) return undefined;
  const found = text.slice(0, -END.length).split(END);
  for (let at = 0; at < found.length; at++) {
    const event = found[at] ?? '';
    if (!event.startsWith(FIELD) || event.includes('\n')) return undefined;
    found[at] = event.slice(FIELD.length);
  }
  return found;
}

function listData(events: Buffer): string[] {
  return [...readEvents(events)].flatMap(({ data }) => data ?? []);
}
