import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

/** An API key that was made for a token of the file that names none. */
export interface MadeKey {
  readonly wallet: string;
  readonly token: string;
  readonly key: string;
  /** The file that it lies in. */
  readonly path: string;
}

/**
 * Keeps a generated API key where its owner alone can read it, since keys never go to the logs. Answers the file's path.
 *
 * @throws Error when DATA_DIR cannot be written.
 */
export async function writeGeneratedKey(
  dataDirectory: string,
  wallet: string,
  token: string,
  key: string,
): Promise<string> {
  const directory = join(dataDirectory, 'generated-keys');
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  const path = join(directory, `${encodeURIComponent(wallet)}.${encodeURIComponent(token)}.key`);
  await writeFile(path, `${key}\n`, { mode: OWNER_ONLY });
  return path;
}
