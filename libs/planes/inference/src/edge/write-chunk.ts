import type { Socket } from 'node:net';

/** Pieces up to this size are copied, so that they go out in one write. */
const MAX_COPIED_BYTES = 256 * 1024;
/** Room for the frame of a usual event. A connection that cannot send keeps it, so it is small. */
const SHARED_BYTES = 4 * 1024;
/** Bytes of a frame that are not of its piece: up to five digits of its length, and two line ends. */
const FRAMING_BYTES = 5 + 4;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
const HEX_DIGITS = Buffer.from('0123456789abcdef');
const BITS_OF_DIGIT = 4;

/** Used again for each frame that the system took at once: a buffer for every event of every stream is garbage. */
let shared = Buffer.allocUnsafeSlow(SHARED_BYTES);

/**
 * Writes a piece of an HTTP/1.1 answer without a length as a chunk of RFC 9112, section 7.1.
 *
 * One write to the socket for each piece but large ones, framed here: Node's own framing makes several of it, and writes are
 * what a stream costs most.
 *
 * @returns whether the socket wants more, as its `write` does.
 */
export function writeChunk(socket: Socket, bytes: Buffer): boolean {
  if (bytes.length > MAX_COPIED_BYTES) {
    socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
    socket.write(bytes);
    return socket.write('\r\n', 'latin1');
  }
  // What is written behind other bytes, or is to go out with what comes next, waits and would keep the shared room.
  const waits = socket.writableLength > 0 || socket.writableCorked > 0;
  if (waits || bytes.length > SHARED_BYTES - FRAMING_BYTES) {
    const frame = Buffer.allocUnsafe(bytes.length + FRAMING_BYTES);
    return socket.write(frame.subarray(0, frameChunk(bytes, frame)));
  }
  const wantsMore = socket.write(shared.subarray(0, frameChunk(bytes, shared)));
  // The system has not taken all of it: the socket sends the rest out of this room.
  if (socket.writableLength > 0) shared = Buffer.allocUnsafeSlow(SHARED_BYTES);
  return wantsMore;
}

/**
 * Writes a piece as a chunk. Its length is written byte by byte: calls into the runtime cost twice as much in all.
 *
 * @returns the bytes of the frame.
 */
function frameChunk(bytes: Buffer, frame: Buffer): number {
  let digits = 1;
  while (bytes.length >>> (digits * BITS_OF_DIGIT) > 0) digits++;
  for (let at = digits - 1, left = bytes.length; at >= 0; at--, left >>>= BITS_OF_DIGIT) {
    frame[at] = HEX_DIGITS[left & 0xf] ?? 0;
  }
  frame[digits] = RETURN;
  frame[digits + 1] = NEWLINE;
  frame.set(bytes, digits + 2);
  const end = digits + 2 + bytes.length;
  frame[end] = RETURN;
  frame[end + 1] = NEWLINE;
  return end + 2;
}
