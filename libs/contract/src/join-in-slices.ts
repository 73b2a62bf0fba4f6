/** Copied into fresh memory in one step. */
const COPY_BYTES = 512 * 1024;

/**
 * Joins pieces into one buffer in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 * @param onCopied gets each piece that is not read any more.
 */
export async function joinInSlices(
  pieces: readonly Buffer[],
  pause: () => Promise<void>,
  onCopied?: (piece: Buffer) => void,
): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += COPY_BYTES) {
      const count = piece.copy(whole, at, from, from + COPY_BYTES);
      at += count;
      copied += count;
      if (copied < COPY_BYTES) continue;
      copied = 0;
      await pause();
    }
    onCopied?.(piece);
  }
  return whole;
}

/** The same with pieces that nobody else reads: each is freed as soon as it is copied. */
export function moveInSlices(pieces: readonly Buffer[], pause: () => Promise<void>): Promise<Buffer> {
  return joinInSlices(pieces, pause, freeBuffer);
}

/**
 * Frees the memory of a large buffer that nobody reads any more, which is empty then. Left to the garbage collector it is freed
 * later, together with that of many others, and what lies about until then has the collector run more often. A buffer that
 * shares its memory with others stays as it is; one that is freed may be freed again.
 */
export function freeBuffer({ buffer, length }: Buffer): void {
  if (length > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}
