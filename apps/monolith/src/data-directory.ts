import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newApiKey } from '@mg/contract';

const PRIVATE = 0o700;
/** Root's Postgres runs as another account, which must be able to pass through. */
const PASSABLE = 0o711;

/** What is made once for an installation and kept in its data directory. */
export interface Secrets {
  readonly jwtSecret: string;
  readonly encryptionKey: string;
  readonly adminPassword: string;
  readonly apiKey: string;
  /** Whether nobody has been shown the first login yet. */
  readonly isLoginNew: boolean;
}

/** Stands beside the secrets once the first login was printed. */
const SHOWN = 'login-was-shown';

/** Makes DATA_DIR where it is missing. @returns its absolute path. */
export function makeDataDirectory(path: string): string {
  const directory = resolve(path);
  const mode = process.getuid?.() === 0 ? PASSABLE : PRIVATE;
  try {
    mkdirSync(directory, { recursive: true, mode });
    if (mode === PASSABLE) chmodSync(directory, statSync(directory).mode | PASSABLE);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new Error(`DATA_DIR: the directory ${directory} cannot be made or used (${code}).`, {
      cause: error,
    });
  }
  return directory;
}

/** Reads the installation's secrets, making those that are missing. Only their owner may read the files. */
export function readOrMakeSecrets(dataDirectory: string): Secrets {
  const directory = join(dataDirectory, 'secrets');
  mkdirSync(directory, { recursive: true, mode: PRIVATE });
  const readOrMake = (name: string, make: () => string) => {
    const path = join(directory, name);
    if (!existsSync(path)) writeFileSync(path, `${make()}\n`, { mode: 0o600 });
    return readFileSync(path, 'utf8').trim();
  };
  return {
    jwtSecret: readOrMake('jwt-secret', () => randomBytes(32).toString('hex')),
    encryptionKey: readOrMake('encryption-key', () => randomBytes(32).toString('hex')),
    adminPassword: readOrMake('admin-password', () => randomBytes(15).toString('base64url')),
    apiKey: readOrMake('api-key', newApiKey),
    isLoginNew: !existsSync(join(directory, SHOWN)),
  };
}

/** From now on the first login is read in its file, not on a screen. */
export function noteLoginShown(dataDirectory: string): void {
  writeFileSync(join(dataDirectory, 'secrets', SHOWN), '', { mode: 0o600 });
}
