import type { FormPart, StoredBytes } from '@mg/protocols';

/** A file of a form, wherever it lies, as what is to be stored. */
export function toContent(bytes: FormPart['bytes']): StoredBytes {
  return Buffer.isBuffer(bytes) ? { length: bytes.length, read: () => inOnePiece(bytes) } : bytes;
}

async function* inOnePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
