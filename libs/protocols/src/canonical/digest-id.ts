import { hash } from 'node:crypto';

/** Of an id, at its beginning and at its end: hashing megabytes, of one or of thousands, would hold up everybody else. */
const MOST_CHARACTERS = 1_024;

/** A short id in the place of one that is too long, always the same for the same: SHA-256 in hex. */
export function digestId(id: string): string {
  if (id.length <= 2 * MOST_CHARACTERS) return hash('sha256', id);
  return hash('sha256', `${id.length} ${id.slice(0, MOST_CHARACTERS)} ${id.slice(-MOST_CHARACTERS)}`);
}
