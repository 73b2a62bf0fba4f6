/**
 * Pieces of any length as parts of one length, but for the last: copies, of which one is held at a time.
 *
 * @param partBytes the length of a part, in bytes.
 */
export async function* cutInParts(
  pieces: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const taken = piece.subarray(at, at + partBytes - bytes);
      held.push(taken);
      bytes += taken.length;
      at += taken.length;
      if (bytes < partBytes) continue;
      yield Buffer.concat(held);
      held = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(held);
}
