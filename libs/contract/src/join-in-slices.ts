/** Copied into fresh memory in one step. */
const COPY_BYTES = 512 * 1024;

/**
 * Joins pieces into one buffer in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 */
export async function joinInSlices(pieces: readonly Buffer[], pause: () => Promise<void>): Promise<Buffer> {
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
  }
  return whole;
}
