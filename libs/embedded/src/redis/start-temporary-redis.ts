import { rmSync } from 'node:fs';
import type { EmbeddedService } from '../embedded-service.js';
import { makeTemporaryDirectory } from '../server/make-directory.js';
import { runRedis } from './run-redis.js';

/** Starts an empty Redis of its own, and forgets it when stopped or when this process dies. */
export async function startTemporaryRedis(): Promise<EmbeddedService> {
  const directory = makeTemporaryDirectory('redis');
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  try {
    const server = await runRedis({
      directory,
      password: 'temporary',
      durable: false,
      removeOnStop: directory,
    });
    return { url: server.url, stop: () => server.stop().then(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
