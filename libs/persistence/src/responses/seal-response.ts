import { openSecretBytes, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

interface Place {
  readonly walletId: string;
  readonly id: string;
}

/** Encrypts a stored response for its row: copied to another it does not open. */
export function sealResponse(text: Buffer, place: Place, key: SecretKey): string {
  return sealSecret(text, toPlace(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openResponse(sealed: string, place: Place, key: SecretKey): Buffer {
  return openSecretBytes(sealed, toPlace(place), key);
}

function toPlace({ walletId, id }: Place): string {
  return `response ${walletId} ${id}`;
}
