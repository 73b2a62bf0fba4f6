import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Passing through is allowed to all, looking inside is not: a server run by another account finds its files below. */
const PASSABLE = 0o711;

/** Makes a directory with its parents where missing, and answers its one true path. */
export function makeDirectory(path: string): string {
  mkdirSync(path, { recursive: true, mode: PASSABLE });
  const directory = realpathSync(path);
  chmodSync(directory, PASSABLE);
  return directory;
}

/** A new empty directory that nobody else uses, for a server that forgets. */
export function makeTemporaryDirectory(name: string): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), `model-gateway-${name}-`));
  chmodSync(directory, PASSABLE);
  return directory;
}
