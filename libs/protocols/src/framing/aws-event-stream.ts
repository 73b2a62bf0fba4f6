import { type JsonObject, parseObject } from '../json.js';
import { ANSWER_SHAPE, JsonShape, type ShapeLimits } from './json-shape.js';

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
/** Each frame is a piece of an answer; reading one of this size takes milliseconds. */
const MAX_FRAME_BYTES = 512 * 1024;
/** Of all headers of a frame: AWS allows no more. */
const MAX_HEADERS_BYTES = 128 * 1024;
/** JSON over this size is looked through before it is parsed, piece by piece of this size. */
const SCANNED_BYTES = 64 * 1024;
/** A piece of an answer is text; ten thousand objects take some milliseconds to parse. */
const FRAME_SHAPE: ShapeLimits = {
  ...ANSWER_SHAPE,
  members: 10_000,
  containers: 10_000,
  values: 20_000,
  names: 2_000,
};
/** Frames that stand for no event may take up this much in a row. */
const MAX_EMPTY_BYTES = 128 * 1024;
const NOTHING = Buffer.alloc(0);
const STRING_HEADER = 7;
const DAMAGED = 'a frame of its stream is damaged';
/** Within JSON they are blank space. */
const LINE_BREAKS = /[\r\n]+/g;
/** Bytes of a header's value by its type, for the types of a fixed length. */
const FIXED_LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/** A frame that is none: a fault of the upstream. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * Turns the binary frames of `application/vnd.amazon.eventstream` into the server-sent events they stand for: those of a
 * model's own protocol, wrapped in `chunk` frames, or those of Converse, which the frames name. Everything after that
 * reads one framing only.
 *
 * @see https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
 */
export class AwsEventStreamReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #emptyBytes = 0;
  /** Bytes that must be there before anything more can be read: a large frame in many pieces is put together once. */
  #wanted = PRELUDE_BYTES;

  /** @throws FrameError when the bytes are no frames, or frames without an event follow each other without end. */
  push(chunk: Buffer): Buffer {
    this.#pieces.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#wanted) return NOTHING;
    let pending = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let text = '';
    this.#wanted = readLength(pending);
    while (pending.length >= this.#wanted) {
      text += readFrame(pending.subarray(0, this.#wanted));
      pending = pending.subarray(this.#wanted);
      this.#wanted = readLength(pending);
    }
    this.#emptyBytes = text === '' ? this.#emptyBytes + this.#bytes - pending.length : 0;
    if (this.#emptyBytes > MAX_EMPTY_BYTES) throw new FrameError('its stream is of frames without events');
    this.#pieces = [pending];
    this.#bytes = pending.length;
    return text === '' ? NOTHING : Buffer.from(text, 'utf8');
  }
}

/** The length of the frame that begins here, or of what tells it. */
function readLength(bytes: Buffer): number {
  if (bytes.length < PRELUDE_BYTES) return PRELUDE_BYTES;
  const length = bytes.readUInt32BE(0);
  if (length < PRELUDE_BYTES + CHECKSUM_BYTES || length > MAX_FRAME_BYTES) {
    throw new FrameError('its stream is not in the frames of AWS');
  }
  return length;
}

function readFrame(frame: Buffer): string {
  const headersBytes = frame.readUInt32BE(4);
  const headersEnd = PRELUDE_BYTES + headersBytes;
  if (headersBytes > MAX_HEADERS_BYTES || headersEnd > frame.length - CHECKSUM_BYTES) {
    throw new FrameError(DAMAGED);
  }
  const headers = readHeaders(frame.subarray(PRELUDE_BYTES, headersEnd));
  const payload = readEvent(frame.subarray(headersEnd, frame.length - CHECKSUM_BYTES));
  const exception = headers.get(':exception-type') ?? headers.get(':error-code');
  if (exception !== undefined) return writeError(exception, payload?.event.message);
  if (!payload) return '';
  const { bytes } = payload.event;
  const isWrapped = typeof bytes === 'string';
  const read = isWrapped ? readEvent(Buffer.from(bytes, 'base64')) : payload;
  if (!read) return '';
  const name = isWrapped ? read.event.type : headers.get(':event-type');
  const line = read.json.replaceAll(LINE_BREAKS, ' ');
  return `${typeof name === 'string' ? `event: ${name}\n` : ''}data: ${line}\n\n`;
}

/**
 * An event, parsed and as it was written: writing megabytes anew takes as long as parsing them, and fails where they are nested
 * thousands of levels deep.
 *
 * @throws FrameError where it holds more than any piece of an answer.
 */
function readEvent(bytes: Buffer): { readonly event: JsonObject; readonly json: string } | undefined {
  if (bytes.length > SCANNED_BYTES) checkShape(bytes);
  const json = bytes.toString('utf8');
  const event = parseObject(json);
  return event && { event, json };
}

function checkShape(bytes: Buffer): void {
  const shape = new JsonShape(FRAME_SHAPE);
  for (let at = 0; at < bytes.length; at += SCANNED_BYTES) {
    if (!shape.push(bytes.subarray(at, at + SCANNED_BYTES))) {
      throw new FrameError('a frame of its stream holds more values than any piece of an answer');
    }
  }
}

function writeError(type: string, message: unknown): string {
  const error = { type, message: typeof message === 'string' ? message : type };
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
}

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes[nameEnd] ?? STRING_HEADER;
    const fixed = FIXED_LENGTHS[type];
    const valueStart = nameEnd + (fixed === undefined ? 3 : 1);
    if (valueStart > bytes.length) throw new FrameError(DAMAGED);
    const valueEnd = valueStart + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
    if (type === STRING_HEADER) headers.set(name, bytes.toString('utf8', valueStart, valueEnd));
    at = valueEnd;
  }
  return headers;
}
