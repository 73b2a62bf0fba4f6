import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The password kept in a file that only its owner may read; made when the file is missing. */
export function readOrMakePassword(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const password = randomBytes(24).toString('hex');
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  return password;
}
