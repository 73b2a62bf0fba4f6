import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedOptions, EmbeddedService } from '../embedded-service.js';
import { makeDirectory } from '../server/make-directory.js';
import { readOrMakePassword } from '../server/make-password.js';
import { startOverDirectory } from '../server/start-over-directory.js';
import { stopLeftover } from '../server/stop-leftover.js';
import { choosePlace } from './choose-place.js';
import { createCluster } from './create-cluster.js';
import { installBinaries } from './install-binaries.js';
import { type RunningPostgres, runPostgres } from './run-postgres.js';

export interface EmbeddedPostgresOptions extends EmbeddedOptions {
  /** Settings of Postgres beyond those that every embedded server has, or in their place. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a real Postgres over the data of `directory`, durable as any: fsync is on.
 *
 * @throws Error with one sentence when the directory is in use by a living process, or the server does not start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedService> {
  const directory = makeDirectory(options.directory);
  return startOverDirectory(directory, () => start(directory, options));
}

async function start(
  directory: string,
  { onProgress, settings = {} }: EmbeddedPostgresOptions,
): Promise<RunningPostgres> {
  const place = choosePlace(directory);
  const data = join(place.path, 'data');
  const passwordFile = join(directory, 'password');
  if (existsSync(data) && !existsSync(passwordFile)) {
    throw new Error(`The password of the Postgres data in ${data} is lost: ${passwordFile} is missing.`);
  }
  if (!existsSync(data)) onProgress?.('Preparing the embedded Postgres for the first time.');
  const password = readOrMakePassword(passwordFile);
  const home = installBinaries(place.path);
  await stopLeftover({ pidFile: join(data, 'postmaster.pid'), mark: data, stopSignal: 'SIGINT' });
  await createCluster({ home, place, data, password });
  const logFile = join(directory, 'postgres.log');
  return runPostgres({
    home,
    place,
    data,
    password,
    logFile,
    settings,
    onProgress,
  });
}
