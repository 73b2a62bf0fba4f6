import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type DecipherGCM,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import { omitUndefined } from '@mg/contract';

export const CIPHER = 'aes-256-gcm';
export const KEY_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
const FORMAT = 'v1';

/** The key that seals secrets at rest, and the name that a sealed text carries of it, so that keys can be rotated. */
export interface SecretKey {
  readonly id: string;
  readonly bytes: Buffer;
  readonly fingerprintBytes: Buffer;
  /** A second key that opens what it sealed, and seals nothing: so that keys can be rotated. */
  readonly previous?: SecretKey;
}

/** A sealed text that cannot be opened. The message holds nothing of the text or the key. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** Derives the sealing key and its public name from ENCRYPTION_KEY, and from ENCRYPTION_KEY_PREVIOUS where there is one, by HKDF-SHA-256. */
export function deriveSecretKey(encryptionKey: string, previous?: string): SecretKey {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', encryptionKey, 'model-gateway', purpose, bytes));
  return omitUndefined({
    id: derive('secrets at rest: key id', 4).toString('hex'),
    bytes: derive('secrets at rest', KEY_BYTES),
    fingerprintBytes: derive('secrets at rest: fingerprints', KEY_BYTES),
    previous: previous === undefined ? undefined : deriveSecretKey(previous),
  });
}

/**
 * Seals a text, or bytes, with AES-256-GCM as `v1.<key id>.<iv, ciphertext and tag in base64url>`.
 *
 * @param rowId id of the row that will hold it: a sealed text copied to another row does not open.
 */
export function sealSecret(plain: string | Buffer, rowId: string, key: SecretKey): string {
  const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
  return `${prefixOf(key)}${sealBytes(bytes, rowId, key).toString('base64url')}`;
}

/** Seals bytes with AES-256-GCM as iv, ciphertext and tag. */
export function sealBytes(bytes: Buffer, rowId: string, key: Pick<SecretKey, 'bytes'>): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(Buffer.from(rowId));
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Opens a text that `sealSecret` sealed for the same row.
 *
 * @throws SecretError when the text was sealed with another key or for another row, or was altered.
 */
export function openSecret(sealedText: string, rowId: string, key: SecretKey): string {
  return openSecretBytes(sealedText, rowId, key).toString();
}

/** The same for bytes. @throws SecretError as `openSecret`. */
export function openSecretBytes(sealedText: string, rowId: string, key: SecretKey): Buffer {
  const { body, sealer } = findSealer(sealedText, key);
  return openBytes(Buffer.from(body, 'base64url'), rowId, sealer);
}

/** What `sealBytes` sealed for the same row, or part. @throws SecretError as `openSecret`. */
export function openBytes(sealed: Buffer, rowId: string, key: Pick<SecretKey, 'bytes'>): Buffer {
  const decipher = openCipher(sealed, rowId, key);
  const opened = decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, endCipher(decipher)]);
}

/** What a sealed text holds, and the key that sealed it. @throws SecretError for that of another key. */
export function findSealer(sealedText: string, key: SecretKey): { body: string; sealer: SecretKey } {
  const [format, keyId, body = ''] = sealedText.split('.');
  if (format !== FORMAT) throw new SecretError('The sealed text has an unknown format.');
  if (keyId === key.id) return { body, sealer: key };
  if (key.previous) return findSealer(sealedText, key.previous);
  throw new SecretError('The secret was sealed with another ENCRYPTION_KEY than the one of this process.');
}

/** Begins to open what stands between iv and tag. @throws SecretError when it is too short. */
export function openCipher(sealed: Buffer, rowId: string, { bytes }: Pick<SecretKey, 'bytes'>): DecipherGCM {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new SecretError('The sealed text is cut short.');
  return createDecipheriv(CIPHER, bytes, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(rowId))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
}

/** @throws SecretError when what was opened is not what was sealed for this row. */
export function endCipher(decipher: DecipherGCM): Buffer {
  try {
    return decipher.final();
  } catch {
    throw new SecretError('The sealed text was altered, or belongs to another row.');
  }
}

/**
 * A fingerprint by which equal secrets of a row are recognised without being opened, for those who have the key:
 * `<key id>.<HMAC-SHA-256 in base64url>`.
 */
export function fingerprintSecret(plainText: string, rowId: string, key: SecretKey): string {
  const mac = createHmac('sha256', key.fingerprintBytes).update(JSON.stringify([rowId, plainText]));
  return `${key.id}.${mac.digest('base64url')}`;
}

/** Whether a fingerprint was made with this key or the one before, so that what it belongs to can be opened. */
export function isFingerprintOf(fingerprint: string, key: SecretKey): boolean {
  if (fingerprint.startsWith(`${key.id}.`)) return true;
  return key.previous !== undefined && isFingerprintOf(fingerprint, key.previous);
}

/** What every text begins with that is sealed with this very key. */
export function prefixOf(key: SecretKey): string {
  return `${FORMAT}.${key.id}.`;
}

/** Whether a text was sealed with this very key. */
export function isSealedWith(sealedText: string, key: SecretKey): boolean {
  return sealedText.startsWith(prefixOf(key));
}
