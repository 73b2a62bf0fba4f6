import { randomBytes } from 'node:crypto';
import { sha256 } from '@mg/contract';

/** Crockford's alphabet: no letter that reads like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Ten codes of 80 random bits, such as `7K3Q-...`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, makeRecoveryCode);
}

/** What is stored of a code. Case, blanks, hyphens and letters that read like digits do not matter: it is typed by hand. */
export function hashRecoveryCode(userId: string, code: string): string {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return sha256(`recovery code ${userId} ${plain}`);
}

function makeRecoveryCode(): string {
  const letters = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return Array.from({ length: GROUPS }, (_, at) =>
    letters.slice(at * GROUP_LENGTH, (at + 1) * GROUP_LENGTH).join(''),
  ).join('-');
}
