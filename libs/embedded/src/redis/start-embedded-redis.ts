import { join } from 'node:path';
import type { EmbeddedOptions, EmbeddedService } from '../embedded-service.js';
import { makeDirectory } from '../server/make-directory.js';
import { readOrMakePassword } from '../server/make-password.js';
import { startOverDirectory } from '../server/start-over-directory.js';
import { stopLeftover } from '../server/stop-leftover.js';
import { redisMark, redisPidFile, runRedis } from './run-redis.js';

/**
 * Starts a real Redis over the data of `directory`, which is kept by an append-only file and never evicted.
 *
 * @throws Error with one sentence when the directory is in use by a living process, or no Redis can be had or started.
 */
export async function startEmbeddedRedis(options: EmbeddedOptions): Promise<EmbeddedService> {
  const directory = makeDirectory(options.directory);
  return startOverDirectory(directory, async () => {
    await stopLeftover({
      pidFile: redisPidFile(directory),
      mark: redisMark(directory),
      stopSignal: 'SIGTERM',
    });
    const password = readOrMakePassword(join(directory, 'password'));
    return runRedis({ ...options, directory, password, durable: true });
  });
}
