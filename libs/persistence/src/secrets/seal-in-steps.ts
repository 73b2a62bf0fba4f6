import { createCipheriv, randomBytes } from 'node:crypto';
import { freeBuffer, moveInSlices } from '@mg/contract';
import {
  CIPHER,
  endCipher,
  findSealer,
  IV_BYTES,
  openCipher,
  prefixOf,
  type SecretKey,
  TAG_BYTES,
} from './seal-secret.js';

/** Done in well under a millisecond; texts of a multiple of three bytes can be joined in base64. */
const STEP_BYTES = 192 * 1024;
/**
 * Characters of an encrypted text that are one string: V8 keeps strings of more than 128 KB apart, and frees them in a step of
 * milliseconds. Parts of a multiple of four can be decoded by themselves.
 */
export const PART_CHARACTERS = 96 * 1024;

/** Texts that are sealed or opened in one step together have so much. */
const TOGETHER_BYTES = 96 * 1024;
/** A text takes as long as so many bytes, however short it is. */
const TEXT_BYTES = 4 * 1024;

/** What is sealed and opened with. */
export interface SealingSteps {
  readonly key: SecretKey;
  /** Waited for between two steps. */
  readonly pause: () => Promise<void>;
}

/** Leaves room for others between texts that are sealed or opened one after another. */
export class SealingPace {
  #bytes = 0;

  constructor(private readonly steps: Pick<SealingSteps, 'pause'>) {}

  /** Is waited for before each text, of so many bytes. */
  async next(bytes: number): Promise<void> {
    const isFirst = this.#bytes === 0;
    this.#bytes += bytes + TEXT_BYTES;
    if (isFirst || this.#bytes <= TOGETHER_BYTES) return;
    this.#bytes = bytes + TEXT_BYTES;
    await this.steps.pause();
  }
}

/**
 * Seals what stands in pieces as `sealSecret` does, in steps: megabytes at once would hold up everybody else.
 *
 * @param rowId id of the row that will hold it.
 */
export async function sealInSteps(
  plain: readonly Buffer[],
  rowId: string,
  steps: SealingSteps,
): Promise<string> {
  const texts: string[] = [];
  for await (const text of writeSealed(plain, rowId, steps)) texts.push(text);
  return texts.join('');
}

/** The same as bytes: the driver of the database would make a text of megabytes into bytes in one step. */
export async function sealToBytes(
  plain: readonly Buffer[],
  rowId: string,
  steps: SealingSteps,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const text of writeSealed(plain, rowId, steps)) pieces.push(Buffer.from(text, 'latin1'));
  return moveInSlices(pieces, steps.pause);
}

async function* writeSealed(
  plain: readonly Buffer[],
  rowId: string,
  { key, pause }: SealingSteps,
): AsyncGenerator<string> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(Buffer.from(rowId));
  const length = plain.reduce((sum, bytes) => sum + bytes.length, 0);
  const sealed = Buffer.allocUnsafe(IV_BYTES + length + TAG_BYTES);
  let written = iv.copy(sealed);
  for (const bytes of plain) {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      if (at > 0) await pause();
      written += move(cipher.update(bytes.subarray(at, at + STEP_BYTES)), sealed, written);
    }
  }
  cipher.final();
  cipher.getAuthTag().copy(sealed, written);
  yield prefixOf(key);
  for (let at = 0; at < sealed.length; at += STEP_BYTES) {
    if (at > 0) await pause();
    yield sealed.toString('base64url', at, at + STEP_BYTES);
  }
  freeBuffer(sealed);
}

/**
 * Opens what was sealed for the same row, in steps.
 *
 * @param sealedText the text, or its bytes.
 * @throws SecretError as `openSecret`.
 */
export async function openInSteps(
  sealedText: string | Buffer,
  rowId: string,
  { key, pause }: SealingSteps,
): Promise<Buffer> {
  const cut = (from: number, to: number) =>
    typeof sealedText === 'string' ? sealedText.slice(from, to) : sealedText.toString('latin1', from, to);
  const head = cut(0, PART_CHARACTERS);
  const { body, sealer } = findSealer(head, key);
  const decoded = Buffer.allocUnsafe(sealedText.length);
  let length = 0;
  for (let at = head.length - body.length; at < sealedText.length; at += PART_CHARACTERS) {
    if (length > 0) await pause();
    length += decoded.write(cut(at, at + PART_CHARACTERS), length, 'base64url');
  }
  const sealed = decoded.subarray(0, length);
  const decipher = openCipher(sealed, rowId, sealer);
  const end = sealed.length - TAG_BYTES;
  const opened = Buffer.allocUnsafe(end - IV_BYTES);
  for (let at = IV_BYTES; at < end; at += STEP_BYTES) {
    if (at > IV_BYTES) await pause();
    move(decipher.update(sealed.subarray(at, Math.min(at + STEP_BYTES, end))), opened, at - IV_BYTES);
  }
  endCipher(decipher);
  freeBuffer(decoded);
  return opened;
}

/** Copies a piece to its place and frees it. @returns its length. */
function move(piece: Buffer, target: Buffer, at: number): number {
  const { length } = piece;
  piece.copy(target, at);
  freeBuffer(piece);
  return length;
}
