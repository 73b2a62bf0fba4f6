import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory } from '../server/make-directory.js';

/** `nobody`: Postgres refuses to run as root. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 } as const;
const PASS_FOR_ALL = 0o001;

/** Where the server's files lie and as whom it runs. */
export interface Place {
  readonly path: string;
  /** Absent: the account of this process. */
  readonly account?: { readonly uid: number; readonly gid: number };
}

/**
 * An ordinary user's server lives in `directory` itself. Root's runs as nobody and does so too, unless nobody may not
 * pass there, as in a home of mode 0700; then it lives below /var/lib under a name that belongs to this directory alone.
 */
export function choosePlace(directory: string): Place {
  if (process.getuid?.() !== 0) return { path: directory };
  if (isPassable(directory)) return { path: directory, account: UNPRIVILEGED };
  const name = createHash('sha256')
    .update(`${directory}\0${readOrMakeId(directory)}`)
    .digest('hex');
  return { path: makeDirectory(`/var/lib/model-gateway-${name.slice(0, 16)}`), account: UNPRIVILEGED };
}

function isPassable(directory: string): boolean {
  if ((statSync(directory).mode & PASS_FOR_ALL) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || isPassable(parent);
}

/** With this id in its name the data is not found again by another directory that is later made at the same path. */
function readOrMakeId(directory: string): string {
  const path = join(directory, 'place-id');
  if (!existsSync(path)) writeFileSync(path, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8');
}
