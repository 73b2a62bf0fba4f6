import { joinInSlices } from '@mg/contract';
import { countBytes, EventSplitter, joinPieces } from './event-splitter.js';
import { readEvents } from './read-events.js';
import { LARGE_BLOCK_BYTES, type LargeBlockEvent, readLargeBlock } from './read-large-events.js';

/** One event's name and data, decoded. */
export interface DecodedEvent {
  readonly event: string | undefined;
  readonly data: string;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A body that is no event stream is kept up to this size, to say what came instead. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Reads events with data out of a byte stream, however it is cut: comments, empty events and a byte order mark are
 * passed over. An upstream that sends a plain body instead of events leaves it in {@link takeBody}.
 */
export class EventReader {
  readonly #splitter = new EventSplitter();
  #started = false;
  #body: Buffer[] | undefined = [];
  #bodyBytes = 0;

  /** @throws EventTooLargeError */
  push(chunk: Buffer): DecodedEvent[] {
    this.#keepBody(chunk);
    const block = this.#splitter.push(chunk);
    return block === undefined ? [] : this.#read(block);
  }

  /**
   * The same; a large block is read in steps while its events are asked for.
   *
   * @throws EventTooLargeError
   */
  pushInSteps(chunk: Buffer, pause: () => Promise<void>): DecodedEvent[] | AsyncGenerator<LargeBlockEvent> {
    this.#keepBody(chunk);
    return this.#readPieces(this.#splitter.pushPieces(chunk), pause);
  }

  endInSteps(pause: () => Promise<void>): DecodedEvent[] | AsyncGenerator<LargeBlockEvent> {
    return this.#readPieces(this.#splitter.takeRestPieces(), pause);
  }

  /** The event that a stream without a final blank line ends in. */
  end(): DecodedEvent[] {
    const rest = this.#splitter.takeRest();
    return rest === undefined ? [] : this.#read(rest);
  }

  /** All that came, when it held no event at all. */
  takeBody(): string {
    return this.#body ? Buffer.concat(this.#body).toString('utf8') : '';
  }

  #readPieces(
    pieces: readonly Buffer[] | undefined,
    pause: () => Promise<void>,
  ): DecodedEvent[] | AsyncGenerator<LargeBlockEvent> {
    if (!pieces) return [];
    if (countBytes(pieces) <= LARGE_BLOCK_BYTES) return this.#read(joinPieces(pieces));
    return this.#readLarge(pieces, pause);
  }

  async *#readLarge(pieces: readonly Buffer[], pause: () => Promise<void>): AsyncGenerator<LargeBlockEvent> {
    const block = this.#skipMark(await joinInSlices(pieces, pause));
    for await (const event of readLargeBlock(block, pause)) {
      if (event.bytes ?? (event.data !== undefined && event.data !== '')) {
        this.#body = undefined;
        yield event;
      }
    }
  }

  #skipMark(block: Buffer): Buffer {
    const hasMark = !this.#started && block.subarray(0, 3).equals(BYTE_ORDER_MARK);
    this.#started = true;
    return hasMark ? block.subarray(3) : block;
  }

  #read(block: Buffer): DecodedEvent[] {
    const bytes = this.#skipMark(block);
    const events: DecodedEvent[] = [];
    for (const { event, data } of readEvents(bytes)) {
      if (data !== undefined && data !== '') events.push({ event, data });
    }
    if (events.length > 0) this.#body = undefined;
    return events;
  }

  #keepBody(chunk: Buffer): void {
    if (!this.#body || this.#bodyBytes > MAX_BODY_BYTES) return;
    this.#body.push(chunk);
    this.#bodyBytes += chunk.length;
  }
}
