import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedService } from '../embedded-service.js';
import { makeDirectory, makeTemporaryDirectory } from '../server/make-directory.js';
import { runCommand } from '../server/run-command.js';
import { choosePlace } from './choose-place.js';
import { createCluster } from './create-cluster.js';
import { installBinaries } from './install-binaries.js';
import { runPostgres } from './run-postgres.js';

/** Known to all, since nothing of worth is ever kept there. */
const PASSWORD = 'temporary';

/** Quick instead of durable. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' };

export interface TemporaryPostgresOptions {
  /** Keeps binaries and an empty data directory between runs; may be used by many at once. */
  readonly cacheDirectory: string;
}

/** Starts a Postgres of its own with an empty database, and forgets it when stopped or when this process dies. */
export async function startTemporaryPostgres(options: TemporaryPostgresOptions): Promise<EmbeddedService> {
  const cache = choosePlace(makeDirectory(options.cacheDirectory));
  const home = installBinaries(cache.path);
  const template = join(cache.path, 'empty-data');
  await createCluster({
    home,
    place: cache,
    data: template,
    password: PASSWORD,
    parameters: ['--wal-segsize=1', '--no-sync'],
  });
  const directory = makeTemporaryDirectory('postgres');
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    const data = join(directory, 'data');
    await runCommand('cp', ['-a', template, data]);
    const server = await runPostgres({
      home,
      place: cache,
      data,
      password: PASSWORD,
      logFile: join(directory, 'postgres.log'),
      settings: SETTINGS,
      removeOnStop: directory,
    });
    return { url: server.url, stop: () => server.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
