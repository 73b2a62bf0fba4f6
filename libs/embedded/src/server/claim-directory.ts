import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStartTime } from './describe-process.js';

const OWNER_FILE = 'owner';

/**
 * Makes this process the only owner of a directory. The claim of a process that is gone, however it went, does not count.
 *
 * @returns how to give the directory back.
 * @throws Error with one sentence when a living process owns it.
 */
export function claimDirectory(directory: string): () => void {
  const path = join(directory, OWNER_FILE);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${process.pid} ${readStartTime(process.pid)}\n`, { mode: 0o600 });
  try {
    while (!linkUnlessThere(draft, path)) removeDeadClaim(directory, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => rmSync(path, { force: true });
}

/** A hard link appears whole or not at all: nobody reads half a claim, and two cannot make one. */
function linkUnlessThere(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeDeadClaim(directory: string, path: string): void {
  const seen = readClaim(path);
  if (seen === undefined) return;
  throwWhenAlive(directory, seen);
  // Another process may have replaced the dead claim by its own since: what was moved away shows it.
  const moved = `${path}.dead.${process.pid}`;
  renameSync(path, moved);
  const taken = readClaim(moved);
  if (taken !== seen && taken !== undefined) {
    linkUnlessThere(moved, path);
    throwWhenAlive(directory, taken);
  }
  rmSync(moved, { force: true });
}

function throwWhenAlive(directory: string, claim: string): void {
  const [pid, startTime] = claim.trim().split(' ');
  if (startTime === undefined || readStartTime(Number(pid)) !== startTime) return;
  throw new Error(
    `The directory ${directory} is in use by process ${pid}: stop that process or choose another directory.`,
  );
}

function readClaim(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
