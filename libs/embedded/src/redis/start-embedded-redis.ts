import { join } from 'node:path';
import type { EmbeddedOptions, EmbeddedService } from '../embedded-service.js';
import { claimDirectory } from '../server/claim-directory.js';
import { makeDirectory } from '../server/make-directory.js';
import { readOrMakePassword } from '../server/make-password.js';
import { stopLeftover } from '../server/stop-leftover.js';
import { redisMark, redisPidFile, runRedis } from './run-redis.js';

/**
 * Starts a real Redis over the data of `directory`, which is kept by an append-only file and never evicted.
 *
 * @throws Error with one sentence when the directory is in use by a living process, or no Redis can be had or started.
 */
export async function startEmbeddedRedis(options: EmbeddedOptions): Promise<EmbeddedService> {
  const directory = makeDirectory(options.directory);
  const release = claimDirectory(directory);
  try {
    await stopLeftover({
      pidFile: redisPidFile(directory),
      mark: redisMark(directory),
      stopSignal: 'SIGTERM',
    });
    const password = readOrMakePassword(join(directory, 'password'));
    const server = await runRedis({ ...options, directory, password, durable: true });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
