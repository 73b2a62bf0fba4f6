import {
  AwsEventStreamReader,
  EventSplitter,
  EventTooLargeError,
  FrameError,
  type JsonObject,
  parseObject,
  readEvents,
} from '@mg/protocols';
import { type BodyReader, BufferedBody, UpstreamFailure, type UpstreamReply } from '@mg/transport';
import { ReadingPace } from '../edge/loop-turns.js';

/** As much of a stream's beginning as is looked at: longer than any error. */
const MAX_LOOK_BYTES = 256 * 1024;

/** How a stream begins: with data, with an error, or not as a stream at all. */
export type Opening =
  | { readonly kind: 'data' }
  | { readonly kind: 'error'; readonly event: JsonObject }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure };

/**
 * A stream whose first event has been looked at and whose bytes are all still there to read: until a reader is
 * attached nothing has left for the client, so another channel may still be tried.
 */
export class PeekedStream implements BodyReader {
  readonly opening: Promise<Opening>;
  readonly #reply: UpstreamReply;
  readonly #body = new BufferedBody();
  readonly #splitter: EventSplitter;
  #open: ((opening: Opening) => void) | undefined;

  readonly #pace = new ReadingPace();
  readonly #frames: AwsEventStreamReader | undefined;
  /** What came without an event. */
  readonly #passed: Buffer[] = [];
  #passedBytes = 0;

  /**
   * @param framing frames around the events that are taken off first.
   * @param maxEventBytes longest event, where that of texts is too short.
   */
  constructor(reply: UpstreamReply, framing?: 'aws-event-stream', maxEventBytes?: number) {
    this.#splitter = new EventSplitter(maxEventBytes);
    this.#frames = framing === undefined ? undefined : new AwsEventStreamReader();
    this.#reply = reply;
    this.opening = new Promise((resolve) => (this.#open = resolve));
    reply.read(this);
  }

  /** Hands every byte, from the first one on, to the reader: what comes from here on without a way through this stream. */
  attach(reader: BodyReader): void {
    this.#body.attach(reader);
    if (!this.#frames && this.#body.isIdle) this.#reply.read(reader);
  }

  pause(): void {
    this.#reply.pause();
  }

  resume(): void {
    this.#reply.resume();
  }

  data(chunk: Buffer): void | Promise<void> {
    const room = this.#open && this.#pace.waitFor(chunk.length);
    return room ? this.#waitFor(room.then(() => this.#take(chunk))) : this.#take(chunk);
  }

  #take(chunk: Buffer): void | Promise<void> {
    try {
      const bytes = this.#frames ? this.#frames.push(chunk) : chunk;
      if (bytes.length === 0) return;
      this.#body.data(bytes);
      if (!this.#open) return;
      this.#look(this.#splitter.pushPieces(bytes));
      const turn = this.#pace.count(bytes.length);
      return turn && this.#waitFor(turn);
    } catch (error) {
      if (!(error instanceof FrameError || error instanceof EventTooLargeError)) throw error;
      this.fail(new UpstreamFailure('broken', error.message));
    }
  }

  /** Others go on in between. */
  async #waitFor(turn: Promise<void>): Promise<void> {
    this.#reply.pause();
    await turn;
    this.#reply.resume();
  }

  end(): void {
    if (this.#open) this.#look(this.#splitter.takeRestPieces());
    if (this.#open) this.#settle(this.#readBody());
    this.#body.end();
  }

  fail(failure: UpstreamFailure): void {
    this.#settle({ kind: 'failed', failure });
    this.#body.fail(failure);
  }

  /** An upstream that is asked for a stream may answer with an error alone, which is no event. */
  #readBody(): Opening {
    const event = parseError(Buffer.concat(this.#passed).toString('utf8'));
    return event ? { kind: 'error', event } : { kind: 'nothing' };
  }

  /** Comments and keep-alives say nothing about how the stream goes. An event that is cut here is too long for an error. */
  #look(pieces: readonly Buffer[] | undefined): void {
    if (!pieces) return;
    const looked = joinFirst(pieces);
    for (const { data } of readEvents(looked)) {
      if (data === undefined) continue;
      const event = parseObject(data);
      const failed = event !== undefined && hasError(event);
      if (!failed) this.#reply.markBegun();
      this.#settle(failed ? { kind: 'error', event } : { kind: 'data' });
      return;
    }
    if (this.#passedBytes + looked.length > MAX_LOOK_BYTES) return;
    this.#passedBytes += looked.length;
    this.#passed.push(looked);
  }

  #settle(opening: Opening): void {
    this.#open?.(opening);
    this.#open = undefined;
  }
}

/** An error that stands alone, or in an array as Google writes it. */
function parseError(text: string): JsonObject | undefined {
  const body = parseObject(/^\s*\[([^]*)\]\s*$/.exec(text)?.[1] ?? text);
  return body && (hasError(body) || body.type === 'error' || body.object === 'error') ? body : undefined;
}

function hasError({ error }: JsonObject): boolean {
  return error !== undefined && error !== null;
}

/** As much of a block as is looked at. */
function joinFirst(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first.subarray(0, MAX_LOOK_BYTES);
  let bytes = 0;
  const looked = pieces.filter(({ length }) => (bytes += length) - length < MAX_LOOK_BYTES);
  return Buffer.concat(looked).subarray(0, MAX_LOOK_BYTES);
}
