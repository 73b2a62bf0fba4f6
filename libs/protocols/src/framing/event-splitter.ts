import { EVENT_SHAPE, JsonShape } from './json-shape.js';

const LF = 0x0a;
const CR = 0x0d;
const EMPTY = Buffer.alloc(0);
/** A blank line ends an event; lines end in LF, CRLF or CR. These are the shortest byte patterns that show one. */
const BLANK_LINES = [Buffer.from('\n\n'), Buffer.from('\n\r\n'), Buffer.from('\r\r')];
/** Bytes of the end of one chunk that may begin a blank line which the next chunk completes. */
const OVERLAP = 2;

/**
 * Bytes without data - comments, blank lines, events of a name alone - that may come between two events with data, and in
 * all. Providers send a comment every few seconds so that a connection stays open; a stream of nothing else is a fault
 * that costs time for every line.
 */
const MAX_EMPTY_BYTES = 128 * 1024;
const MAX_EMPTY_BYTES_IN_ALL = 1024 * 1024;
const DATA = 'data:';
const DATA_BYTES = Buffer.from(DATA);
/** Lines of one event: providers write an event's JSON on one line, and each line takes time. */
const MAX_LINES = 20_000;
const LINE_ENDS = [LF, CR];

/** An event that never ends is a fault of the upstream, not a reason to fill memory; so is a stream of empty ones. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
}

/**
 * Cuts a stream of server-sent events into blocks of whole events, however the network cut the bytes.
 * Nothing is decoded: joined together, the blocks are the stream, byte for byte.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventSplitter {
  readonly #maxEventBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #tail: Buffer = EMPTY;
  #shape: JsonShape | undefined;
  #lines = 0;
  #emptyBytes = 0;
  #emptyBytesInAll = 0;

  constructor(maxEventBytes = 8 * 1024 * 1024) {
    this.#maxEventBytes = maxEventBytes;
  }

  /**
   * Takes a chunk and returns the bytes of all events that are now whole, or `undefined` when none is.
   *
   * @throws EventTooLargeError when an unfinished event outgrows the limit, or too much comes that holds no data.
   */
  push(chunk: Buffer): Buffer | undefined {
    const pieces = this.pushPieces(chunk);
    return pieces && joinPieces(pieces);
  }

  /** The same without joining the pieces of a block that came in several. */
  pushPieces(chunk: Buffer): readonly Buffer[] | undefined {
    const pieces = this.#cut(chunk);
    if (pieces) this.#countEmpty(pieces);
    return pieces;
  }

  #cut(chunk: Buffer): readonly Buffer[] | undefined {
    if (this.#pendingBytes === 0 && endsWithBlankLine(chunk)) return [chunk];
    const end = this.#findEnd(chunk);
    if (end < 0) {
      this.#keep(chunk);
      return undefined;
    }
    const pieces = this.#takePending(chunk.subarray(0, end));
    if (end < chunk.length) this.#keep(chunk.subarray(end));
    return pieces;
  }

  /** The bytes after the last blank line: an event without its end, when a stream stops without a final newline. */
  takeRest(): Buffer | undefined {
    const pieces = this.takeRestPieces();
    return pieces && joinPieces(pieces);
  }

  takeRestPieces(): readonly Buffer[] | undefined {
    return this.#pendingBytes === 0 ? undefined : this.#takePending(EMPTY);
  }

  #countEmpty(pieces: readonly Buffer[]): void {
    if (holdsData(pieces)) {
      this.#emptyBytes = 0;
      return;
    }
    const bytes = countBytes(pieces);
    this.#emptyBytes += bytes;
    this.#emptyBytesInAll += bytes;
    if (this.#emptyBytes > MAX_EMPTY_BYTES || this.#emptyBytesInAll > MAX_EMPTY_BYTES_IN_ALL) {
      throw new EventTooLargeError('The upstream sends comments and empty events instead of data.');
    }
  }

  /** Offset in `chunk` just after the last blank line, or -1. */
  #findEnd(chunk: Buffer): number {
    const probe = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    let end = -1;
    for (const pattern of BLANK_LINES) {
      const at = probe.lastIndexOf(pattern);
      if (at >= 0) end = Math.max(end, at + pattern.length);
    }
    return end < 0 ? -1 : Math.max(end - this.#tail.length, -1);
  }

  #keep(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes > this.#maxEventBytes) {
      throw new EventTooLargeError(`An event of the upstream is larger than ${this.#maxEventBytes} bytes.`);
    }
    this.#lines += countLines(chunk);
    if (this.#lines > MAX_LINES) {
      throw new EventTooLargeError(`An event of the upstream has more than ${MAX_LINES} lines.`);
    }
    this.#watchShape(chunk);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-OVERLAP)]).subarray(-OVERLAP);
  }

  /** An event of many pieces is parsed as a whole once it is there. */
  #watchShape(chunk: Buffer): void {
    this.#shape ??= new JsonShape(EVENT_SHAPE);
    if (!this.#shape.push(chunk)) {
      throw new EventTooLargeError('An event of the upstream holds more members than any answer has.');
    }
  }

  #takePending(last: Buffer): readonly Buffer[] {
    const pieces = [...this.#pending, last];
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#tail = EMPTY;
    this.#shape = undefined;
    this.#lines = 0;
    return pieces;
  }
}

/** The very piece, where there is only one. */
export function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}

export function countBytes(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** A line that ends in CRLF counts twice. */
function countLines(chunk: Buffer): number {
  let lines = 0;
  for (const end of LINE_ENDS) {
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, at + 1)) lines++;
  }
  return lines;
}

/** Whether a line of a block is a field of data; the word may also stand within a comment. */
function holdsData(pieces: readonly Buffer[]): boolean {
  const [first] = pieces;
  if (pieces.length === 1 && first) return beginsWithData(first) || findData(first, 0);
  let before = EMPTY;
  return pieces.some((piece) => {
    // The field may stand across two pieces.
    const seam = Buffer.concat([before, piece.subarray(0, DATA.length)]);
    const found = findData(seam, before.length > 0 ? 1 : 0) || findData(piece, before.length > 0 ? 1 : 0);
    before = Buffer.concat([before, piece.subarray(-DATA.length)]).subarray(-DATA.length);
    return found;
  });
}

/** As nearly every block does. Byte by byte, which costs less than any search: this is done for each chunk of each stream. */
function beginsWithData(block: Buffer): boolean {
  for (let at = 0; at < DATA.length; at++) if (block[at] !== DATA_BYTES[at]) return false;
  return true;
}

/** @param from 1 where it is not known whether a line begins with the first byte. */
function findData(block: Buffer, from: number): boolean {
  for (let at = block.indexOf(DATA, from); at >= 0; at = block.indexOf(DATA, at + DATA.length)) {
    const before = block[at - 1];
    if (before === undefined || before === LF || before === CR) return true;
  }
  return false;
}

function endsWithBlankLine(chunk: Buffer): boolean {
  const { length } = chunk;
  return length >= 2 && chunk[length - 1] === LF && chunk[length - 2] === LF;
}
