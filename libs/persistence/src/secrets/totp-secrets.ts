import { openSecret, sealSecret, type SecretKey } from './seal-secret.js';

/** Seals the secret of a user's authenticator app. One that is copied to another user does not open. */
export function sealTotpSecret(userId: string, secret: string, key: SecretKey): string {
  return sealSecret(secret, toPlace(userId), key);
}

/** @throws SecretError when it was sealed with another ENCRYPTION_KEY or for another user. */
export function openTotpSecret(userId: string, sealed: string, key: SecretKey): string {
  return openSecret(sealed, toPlace(userId), key);
}

function toPlace(userId: string): string {
  return `user_totp/${userId}`;
}
