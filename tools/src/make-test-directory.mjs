import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** A file system in memory, on Linux. */
const IN_MEMORY = '/dev/shm';
const NEEDED_BYTES = 8 * 1024 ** 3;
/** Root's Postgres runs as another account, whose files lie in there. */
const PASSABLE = 0o755;

/**
 * Makes a directory in memory for all temporary files of the tests, and removes it with this process. On a disk that is
 * busy, one commit of one of twenty databases may take seconds. Answers the variables that name it: none where memory is
 * scarce, or where programs may not be run from there.
 */
export function makeTestDirectory() {
  if (!hasRoom()) return {};
  // A short name: paths of sockets have at most 107 characters.
  const directory = mkdtempSync(`${IN_MEMORY}/mg-`);
  chmodSync(directory, PASSABLE);
  process.on('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return { TMPDIR: directory };
}

function hasRoom() {
  if (!existsSync(IN_MEMORY) || !existsSync('/proc/mounts')) return false;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, place]) => place === IN_MEMORY);
  if (!mount || mount[3].split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  const free = process.availableMemory?.() ?? freemem();
  return bavail * bsize >= NEEDED_BYTES && free >= NEEDED_BYTES;
}
