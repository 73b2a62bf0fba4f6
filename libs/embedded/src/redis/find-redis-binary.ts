import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renameUnlessThere } from '../server/rename-unless-there.js';
import { runCommand } from '../server/run-command.js';
import { fetchRedis } from './fetch-redis.js';

export interface RedisBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const NAMES = ['redis-server', 'valkey-server'];
const CACHE = join(import.meta.dirname, '../../../../.cache/redis');

/**
 * The Redis server of this machine, or else Debian's, downloaded once into the checkout's `.cache`.
 *
 * @throws Error with one sentence about how to get a Redis when there is none.
 */
export async function findRedisBinary(onProgress?: (sentence: string) => void): Promise<RedisBinary> {
  const found = (await findOnPath()) ?? (await findInCache());
  if (found) return found;
  onProgress?.('Downloading Redis from the Debian mirror (1.3 MB, once).');
  try {
    await fillCache();
  } catch (error) {
    throw new Error(
      `There is no Redis on this machine and it could not be downloaded: install redis-server, or set REDIS_URL to a Redis of your own. (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  const fetched = await findInCache();
  if (!fetched) {
    throw new Error(
      'The Redis of the Debian mirror does not run on this machine: install redis-server, or set REDIS_URL to a Redis of your own.',
    );
  }
  return fetched;
}

async function findOnPath(): Promise<RedisBinary | undefined> {
  const directories = (process.env['PATH'] ?? '').split(':').filter((directory) => directory.startsWith('/'));
  for (const name of NAMES) {
    for (const directory of directories) {
      const found = await whenItRuns({ command: join(directory, name), env: process.env });
      if (found) return found;
    }
  }
  return undefined;
}

async function findInCache(): Promise<RedisBinary | undefined> {
  const libraries = join(CACHE, 'root/usr/lib');
  if (!existsSync(libraries)) return undefined;
  const paths = readdirSync(libraries).map((name) => join(libraries, name));
  return whenItRuns({
    command: join(CACHE, 'root/usr/bin/redis-server'),
    env: { ...process.env, LD_LIBRARY_PATH: paths.join(':') },
  });
}

async function fillCache(): Promise<void> {
  const draft = `${CACHE}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(draft), { recursive: true });
  try {
    await fetchRedis(draft);
    if (await findInCache()) return;
    // What is there does not run, perhaps since the system was upgraded.
    rmSync(CACHE, { recursive: true, force: true });
    renameUnlessThere(draft, CACHE);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function whenItRuns(binary: RedisBinary): Promise<RedisBinary | undefined> {
  try {
    accessSync(binary.command, constants.X_OK);
    await runCommand(binary.command, ['--version'], { env: binary.env });
    return binary;
  } catch {
    return undefined;
  }
}
