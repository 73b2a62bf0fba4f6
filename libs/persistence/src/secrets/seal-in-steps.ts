import { createCipheriv, randomBytes } from 'node:crypto';
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
const STEP_CHARACTERS = (STEP_BYTES / 3) * 4;

/** What is sealed and opened with. */
export interface SealingSteps {
  readonly key: SecretKey;
  /** Waited for between two steps. */
  readonly pause: () => Promise<void>;
}

/**
 * Seals what stands in pieces as `sealSecret` does, in steps: megabytes at once would hold up everybody else.
 *
 * @param rowId id of the row that will hold it.
 */
export async function sealInSteps(
  plain: readonly Buffer[],
  rowId: string,
  { key, pause }: SealingSteps,
): Promise<string> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(Buffer.from(rowId));
  const pieces: Buffer[] = [iv];
  for (const bytes of plain) {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      if (at > 0) await pause();
      pieces.push(cipher.update(bytes.subarray(at, at + STEP_BYTES)));
    }
  }
  pieces.push(cipher.final(), cipher.getAuthTag());
  const sealed = Buffer.concat(pieces);
  const texts = [prefixOf(key)];
  for (let at = 0; at < sealed.length; at += STEP_BYTES) {
    if (at > 0) await pause();
    texts.push(sealed.toString('base64url', at, at + STEP_BYTES));
  }
  return texts.join('');
}

/** Opens what was sealed for the same row, in steps. @throws SecretError as `openSecret`. */
export async function openInSteps(
  sealedText: string,
  rowId: string,
  { key, pause }: SealingSteps,
): Promise<Buffer> {
  const { body, sealer } = findSealer(sealedText, key);
  const decoded: Buffer[] = [];
  for (let at = 0; at < body.length; at += STEP_CHARACTERS) {
    if (at > 0) await pause();
    decoded.push(Buffer.from(body.slice(at, at + STEP_CHARACTERS), 'base64url'));
  }
  const sealed = Buffer.concat(decoded);
  const decipher = openCipher(sealed, rowId, sealer);
  const opened: Buffer[] = [];
  const end = sealed.length - TAG_BYTES;
  for (let at = IV_BYTES; at < end; at += STEP_BYTES) {
    if (at > IV_BYTES) await pause();
    opened.push(decipher.update(sealed.subarray(at, Math.min(at + STEP_BYTES, end))));
  }
  return Buffer.concat([...opened, endCipher(decipher)]);
}
