import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EmbeddedService } from '../embedded-service.js';
import { makeDirectory, makeTemporaryDirectory } from '../server/make-directory.js';
import { runCommand } from '../server/run-command.js';
import { choosePlace, type Place } from './choose-place.js';
import { createCluster } from './create-cluster.js';
import { installBinaries, type PostgresHome } from './install-binaries.js';
import { runPostgres } from './run-postgres.js';

/** Known to all, since nothing of worth is ever kept there. */
const PASSWORD = 'temporary';

/** Quick instead of durable. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' };

export interface TemporaryPostgresOptions {
  /** Keeps binaries and an empty data directory between runs; may be used by many at once. */
  readonly cacheDirectory: string;
}

interface Cache {
  readonly place: Place;
  readonly home: PostgresHome;
  /** A data directory that nothing was written to. */
  readonly emptyData: string;
}

async function openCache({ cacheDirectory }: TemporaryPostgresOptions): Promise<Cache> {
  const place = choosePlace(makeDirectory(cacheDirectory));
  const home = installBinaries(place.path);
  const emptyData = join(place.path, 'empty-data');
  // Its password is no secret: whoever connects need not hash it four thousand times.
  const parameters = ['--wal-segsize=1', '--no-sync', '-c', 'scram_iterations=1'];
  await createCluster({ home, place, data: emptyData, password: PASSWORD, parameters });
  return { place, home, emptyData };
}

/**
 * Makes `directory` as the first start of `startEmbeddedPostgres` over it would, by copying what the cache has: for those who
 * start it often, and not to see its first start.
 */
export async function copyEmptyPostgres(directory: string, options: TemporaryPostgresOptions): Promise<void> {
  const { home, emptyData } = await openCache(options);
  const own = makeDirectory(directory);
  await runCommand('cp', ['-a', emptyData, join(own, 'data')]);
  symlinkSync(home, join(own, basename(home)));
  writeFileSync(join(own, 'password'), PASSWORD, { mode: 0o600 });
}

/** Starts a Postgres of its own with an empty database, and forgets it when stopped or when this process dies. */
export async function startTemporaryPostgres(options: TemporaryPostgresOptions): Promise<EmbeddedService> {
  const { place, home, emptyData } = await openCache(options);
  const directory = makeTemporaryDirectory('postgres');
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    const data = join(directory, 'data');
    await runCommand('cp', ['-a', emptyData, data]);
    const server = await runPostgres({
      home,
      place,
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
