import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchDebianPackage } from './fetch-debian-package.js';
import { renameUnlessThere } from './rename-unless-there.js';
import { runCommand } from './run-command.js';

/** A program of Debian's that runs without being installed. */
export interface DebianProgram {
  /** For people: `Redis`. */
  readonly title: string;
  /** Names under which it may stand on the PATH. */
  readonly names: readonly string[];
  readonly package: string;
  /** Where the package has it, from the root: `usr/bin/redis-server`. */
  readonly path: string;
  /** The parameter with which it shows its version and ends. */
  readonly versionParameter: string;
  /** How to get it otherwise, as the end of a sentence: `install redis-server`. */
  readonly advice: string;
}

/** A program and the environment without which it does not find its libraries. */
export interface ProgramBinary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

const CACHE = join(import.meta.dirname, '../../../../.cache');

/**
 * The program of this machine, or else Debian's, downloaded once into the checkout's `.cache`.
 *
 * @throws Error with one sentence about how to get it when there is none.
 */
export async function findProgram(
  program: DebianProgram,
  onProgress?: (sentence: string) => void,
): Promise<ProgramBinary> {
  const found = (await findOnPath(program)) ?? (await findInCache(program));
  if (found) return found;
  const { title, advice } = program;
  onProgress?.(`Downloading ${title} from the Debian mirror (once).`);
  try {
    await fillCache(program);
  } catch (error) {
    throw new Error(
      `There is no ${title} on this machine and it could not be downloaded: ${advice}. (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  const fetched = await findInCache(program);
  if (!fetched) throw new Error(`The ${title} of the Debian mirror does not run on this machine: ${advice}.`);
  return fetched;
}

async function findOnPath({ names, versionParameter }: DebianProgram): Promise<ProgramBinary | undefined> {
  const directories = (process.env['PATH'] ?? '').split(':').filter((directory) => directory.startsWith('/'));
  for (const name of names) {
    for (const directory of directories) {
      const binary = { command: join(directory, name), env: process.env };
      if (await runs(binary, versionParameter)) return binary;
    }
  }
  return undefined;
}

async function findInCache(program: DebianProgram): Promise<ProgramBinary | undefined> {
  const root = join(placeOf(program), 'root');
  if (!existsSync(root)) return undefined;
  const folder = join(root, 'usr/lib');
  const libraries = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const binary = {
    command: join(root, program.path),
    env: { ...process.env, LD_LIBRARY_PATH: libraries.join(':') },
  };
  return (await runs(binary, program.versionParameter)) ? binary : undefined;
}

async function fillCache(program: DebianProgram): Promise<void> {
  const place = placeOf(program);
  const draft = `${place}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  mkdirSync(dirname(draft), { recursive: true });
  try {
    await fetchDebianPackage(program.package, draft);
    if (await findInCache(program)) return;
    // What is there does not run, perhaps since the system was upgraded.
    rmSync(place, { recursive: true, force: true });
    renameUnlessThere(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function placeOf(program: DebianProgram): string {
  return join(CACHE, program.title.toLowerCase());
}

async function runs(binary: ProgramBinary, versionParameter: string): Promise<boolean> {
  try {
    accessSync(binary.command, constants.X_OK);
    await runCommand(binary.command, [versionParameter], { env: binary.env });
    return true;
  } catch {
    return false;
  }
}
