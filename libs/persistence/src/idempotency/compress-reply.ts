import { finished, pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';
import { freeBuffer, moveInSlices } from '@mg/contract';

/** What zlib hands out at a time: each piece costs the event loop a turn, and has memory of its own. */
const PIECE_BYTES = 256 * 1024;

/**
 * Compresses a long answer in threads of zlib, at its fastest. What reaches the database and comes back is copied several times
 * by its driver, in hexadecimal on the way back, all of which the event loop and the garbage collector have to do.
 */
export async function compressReply(body: Buffer): Promise<readonly Buffer[]> {
  const compressing = createBrotliCompress({
    chunkSize: PIECE_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
  const pieces: Buffer[] = [];
  compressing.on('data', (piece: Buffer) => pieces.push(piece));
  compressing.end(body);
  await finished(compressing);
  return pieces;
}

/**
 * @param content of which the memory is freed.
 * @param pause is waited for between two steps.
 * @throws Error when it is not complete.
 */
export async function decompressReply(
  content: readonly Buffer[],
  pause: () => Promise<void>,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await pipeline(content, createBrotliDecompress({ chunkSize: PIECE_BYTES }), async (output) => {
    for await (const piece of output) pieces.push(piece as Buffer);
  });
  for (const piece of content) freeBuffer(piece);
  return moveInSlices(pieces, pause);
}
