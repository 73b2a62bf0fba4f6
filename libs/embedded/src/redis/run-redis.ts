import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../server/find-free-port.js';
import { launchServer, type RunningServer } from '../server/launch-server.js';
import { findRedisBinary } from './find-redis-binary.js';

export interface RedisRun {
  readonly directory: string;
  readonly password: string;
  /** Whether what is written survives a restart. */
  readonly durable: boolean;
  readonly removeOnStop?: string;
  readonly onProgress?: (sentence: string) => void;
}

export interface RunningRedis extends RunningServer {
  readonly url: string;
}

const PORT_TRIES = 5;

/** Name under which the server of a directory shows itself among the processes; no file has it. */
export function redisMark(directory: string): string {
  return join(directory, 'redis-server');
}

export function redisPidFile(directory: string): string {
  return join(directory, 'redis.pid');
}

/** Runs a server over the data of a directory, on a port that is free. */
export async function runRedis(run: RedisRun): Promise<RunningRedis> {
  const binary = await findRedisBinary(run.onProgress);
  const configuration = join(run.directory, 'redis.conf');
  mkdirSync(join(run.directory, 'data'), { recursive: true, mode: 0o700 });
  for (let tries = 1; ; tries++) {
    const port = await findFreePort();
    const url = `redis://:${run.password}@127.0.0.1:${port}`;
    // In a file, since everybody on the machine may read a command line.
    writeFileSync(configuration, writeConfiguration(run, port), { mode: 0o600 });
    try {
      const server = await launchServer({
        ...run,
        name: 'Redis',
        command: binary.command,
        argv0: redisMark(run.directory),
        parameters: [configuration],
        env: binary.env,
        logFile: join(run.directory, 'redis.log'),
        stopSignal: 'SIGTERM',
        ping: () => pingRedis(url),
      });
      return { url, stop: server.stop };
    } catch (error) {
      const isPortTaken = String(error).includes('Address already in use');
      if (!isPortTaken || tries === PORT_TRIES) throw error;
    }
  }
}

function writeConfiguration(run: RedisRun, port: number): string {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${JSON.stringify(join(run.directory, 'data'))}`,
    `pidfile ${JSON.stringify(redisPidFile(run.directory))}`,
    `requirepass ${run.password}`,
    `appendonly ${run.durable ? 'yes' : 'no'}`,
    'save ""',
    'maxmemory-policy noeviction',
    // What it does by itself, such as to free keys that have expired: ten times a second is most of what an idle one costs.
    'hz 2',
  ];
  return `${lines.join('\n')}\n`;
}

/** Rejects while the server does not listen yet or still loads its data. */
async function pingRedis(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}
