import { findProgram, type ProgramBinary } from '../server/find-program.js';

/**
 * The Redis server of this machine, or else Debian's, downloaded once into the checkout's `.cache`.
 *
 * @throws Error with one sentence about how to get a Redis when there is none.
 */
export function findRedisBinary(onProgress?: (sentence: string) => void): Promise<ProgramBinary> {
  return findProgram(
    {
      title: 'Redis',
      names: ['redis-server', 'valkey-server'],
      package: 'redis-server',
      path: 'usr/bin/redis-server',
      versionParameter: '--version',
      advice: 'install redis-server, or set REDIS_URL to a Redis of your own',
    },
    onProgress,
  );
}
