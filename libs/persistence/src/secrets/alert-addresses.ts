import { openSecret, sealSecret, type SecretKey } from './seal-secret.js';

/** Addresses that alerts go to: they may hold passwords. */
export type AlertAddress = 'webhook_url' | 'smtp_url';

/** Seals an address. One that is copied to the other's place does not open. */
export function sealAlertAddress(name: AlertAddress, url: string, key: SecretKey): string {
  return sealSecret(url, toPlace(name), key);
}

/** @throws SecretError when it was sealed with another ENCRYPTION_KEY. */
export function openAlertAddress(name: AlertAddress, sealed: string, key: SecretKey): string {
  return openSecret(sealed, toPlace(name), key);
}

function toPlace(name: AlertAddress): string {
  return `alert_setting/${name}`;
}
