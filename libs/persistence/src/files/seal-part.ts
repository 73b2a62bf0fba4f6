import { openSecretBytes, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** Where a part of a file stands. */
export interface PartPlace {
  readonly walletId: string;
  readonly fileId: string;
  readonly part: number;
}

/** Encrypts a part of a file for its row: copied to another it does not open. */
export function sealPart(bytes: Buffer, place: PartPlace, key: SecretKey): string {
  return sealSecret(bytes, nameRow(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openPart(sealed: string, place: PartPlace, key: SecretKey): Buffer {
  return openSecretBytes(sealed, nameRow(place), key);
}

/** What a part is bound to. */
export function nameRow({ walletId, fileId, part }: PartPlace): string {
  return `file ${walletId} ${fileId} ${part}`;
}
