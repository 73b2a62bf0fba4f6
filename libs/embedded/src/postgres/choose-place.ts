import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
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

const ID_FILE = 'place-id';
const PARENT = '/var/lib';
const PREFIX = 'model-gateway-';
const BELONGS_TO = 'belongs-to';

/**
 * An ordinary user's server lives in `directory` itself. Root's runs as nobody and does so too, unless nobody may not
 * pass there, as in a home of mode 0700; then it lives below /var/lib under a name that belongs to this directory alone.
 */
export function choosePlace(directory: string): Place {
  if (process.getuid?.() !== 0) return { path: directory };
  if (isPassable(directory)) return { path: directory, account: UNPRIVILEGED };
  removeForgottenPlaces();
  makeId(directory);
  const path = makeDirectory(join(PARENT, namePlace(directory)));
  writeFileSync(join(path, BELONGS_TO), directory);
  return { path, account: UNPRIVILEGED };
}

function isPassable(directory: string): boolean {
  if ((statSync(directory).mode & PASS_FOR_ALL) === 0) return false;
  const parent = dirname(directory);
  return parent === directory || isPassable(parent);
}

/** With an id in its name the data is not found again by another directory that is later made at the same path. */
function makeId(directory: string): void {
  const path = join(directory, ID_FILE);
  if (!existsSync(path)) writeFileSync(path, randomBytes(16).toString('hex'), { mode: 0o600 });
}

function namePlace(directory: string): string {
  const id = readText(join(directory, ID_FILE));
  const hash = createHash('sha256').update(`${directory}\0${id}`).digest('hex');
  return `${PREFIX}${hash.slice(0, 16)}`;
}

/** Removes the places of temporary directories that are gone. Others may be on a disk that is not mounted now. */
function removeForgottenPlaces(): void {
  const temporary = `${realpathSync(tmpdir())}/`;
  for (const name of readdirSync(PARENT).filter((entry) => entry.startsWith(PREFIX))) {
    const directory = readText(join(PARENT, name, BELONGS_TO));
    if (!directory?.startsWith(temporary) || namePlace(directory) === name) continue;
    rmSync(join(PARENT, name), { recursive: true, force: true });
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
