import { joinInSlices } from '@mg/contract';

/** Bytes that lie outside memory. They can be read as often as channels are asked. */
export interface StoredBytes {
  readonly length: number;
  read(): AsyncIterable<Buffer>;
}

/** A file of a form that is too large for memory. */
export interface StoredFile extends StoredBytes {
  /** Its first bytes, which show what it is. */
  readonly head: Buffer;
}

/** Pieces up to this size together are copied; larger ones are sent one after another. */
const MAX_COPIED_BYTES = 512 * 1024;

/** The pieces one after another: in one piece where they are in memory, and small. */
export function joinBytes(pieces: readonly (Buffer | StoredBytes)[]): Buffer | StoredBytes {
  const held = pieces.filter((piece) => Buffer.isBuffer(piece));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (held.length === pieces.length && length <= MAX_COPIED_BYTES) return Buffer.concat(held);
  return {
    length,
    async *read() {
      for (const piece of pieces) {
        if (Buffer.isBuffer(piece)) yield piece;
        else yield* piece.read();
      }
    },
  };
}

/**
 * Brings bytes that may lie outside memory, or in pieces, into one piece.
 *
 * @param pause is waited for between two steps of reading and copying.
 */
export async function gatherBytes(
  bytes: Buffer | StoredBytes,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  const chunks: Buffer[] = [];
  for await (const chunk of bytes.read()) {
    chunks.push(chunk);
    // What lies in memory is read, and made into base64, without a turn.
    await pause();
  }
  return joinInSlices(chunks, pause);
}

/**
 * Base64 of stored bytes, made while it is read.
 *
 * @param pause is waited for before a piece is encoded: pieces in memory come one after another in one turn of the event loop.
 */
export function encodeBase64(
  source: StoredBytes,
  pause: () => Promise<void> = () => Promise.resolve(),
): StoredBytes {
  return {
    length: Math.ceil(source.length / 3) * 4,
    async *read() {
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of source.read()) {
        await pause();
        const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
        const whole = bytes.length - (bytes.length % 3);
        rest = bytes.subarray(whole);
        if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole));
      }
      if (rest.length > 0) yield Buffer.from(rest.toString('base64'));
    },
  };
}
