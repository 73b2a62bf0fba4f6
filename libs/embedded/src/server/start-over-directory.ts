import type { EmbeddedService } from '../embedded-service.js';
import { claimDirectory } from './claim-directory.js';

/**
 * Starts a server over a directory that this process owns until the server has stopped, or did not start.
 *
 * @throws Error with one sentence when a living process owns the directory, and what `start` throws.
 */
export async function startOverDirectory(
  directory: string,
  start: () => Promise<EmbeddedService>,
): Promise<EmbeddedService> {
  const release = claimDirectory(directory);
  try {
    const server = await start();
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
