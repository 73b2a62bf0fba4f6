import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readStartTime } from '../server/describe-process.js';
import { renameUnlessThere } from '../server/rename-unless-there.js';
import { runCommand } from '../server/run-command.js';
import type { Place } from './choose-place.js';
import type { PostgresHome } from './install-binaries.js';

export const POSTGRES_USER = 'gateway';

/** Surroundings of every Postgres program: nothing of the caller's own settings. */
export const POSTGRES_ENV = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' } as const;

export interface ClusterOptions {
  readonly home: PostgresHome;
  readonly place: Place;
  /** Data directory to be. */
  readonly data: string;
  readonly password: string;
  readonly parameters?: readonly string[];
}

/**
 * Makes the data directory unless it is there. It gets its name when it is complete, so that an interrupted start
 * leaves nothing half-made to be found by the next.
 *
 * @throws Error when the data was written by another major version of Postgres.
 */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { home, place, data, password } = options;
  removeDrafts(data);
  if (existsSync(data)) return checkVersion(home, data);
  const draft = `${data}.draft-${process.pid}-${randomBytes(4).toString('hex')}`;
  const passwordFile = `${draft}.password`;
  try {
    makePrivate(draft, place);
    writeFileSync(passwordFile, password, { mode: 0o600 });
    changeOwner(passwordFile, place);
    const parameters = ['-D', draft, '-U', POSTGRES_USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await runCommand(join(home, 'bin/initdb'), [...parameters, ...text, ...(options.parameters ?? [])], {
      cwd: '/',
      env: POSTGRES_ENV,
      ...place.account,
    });
    renameUnlessThere(draft, data);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes what interrupted starts left; a draft of a living process may be in the making. */
function removeDrafts(data: string): void {
  const directory = dirname(data);
  for (const name of readdirSync(directory)) {
    const [base, pid] = name.split('.draft-');
    if (base !== basename(data) || pid === undefined) continue;
    if (readStartTime(Number.parseInt(pid, 10)) !== undefined) continue;
    rmSync(join(directory, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

function makePrivate(directory: string, place: Place): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  changeOwner(directory, place);
}

function changeOwner(path: string, place: Place): void {
  if (place.account) chownSync(path, place.account.uid, place.account.gid);
}

function checkVersion(home: PostgresHome, data: string): void {
  const written = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const ours = /postgres-(\d+)/.exec(basename(home))?.[1];
  if (written === ours) return;
  throw new Error(
    `The data in ${data} was written by Postgres ${written} and this is Postgres ${ours}: export it with the version that wrote it, or choose another directory.`,
  );
}
