import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { omitUndefined } from '@mg/contract';
import { findRedisBinary } from '@mg/embedded';
import { Redis } from 'ioredis';
import { findFreePorts } from '@mg/testkit';

const SCRIPT = fileURLToPath(new URL('../../../deploy/redis/start-redis.sh', import.meta.url));

export interface ScriptedRedis {
  readonly port: number;
  readonly process: ChildProcess;
  /** Gives the users of this Redis the rules of the script again. Answers what was said. */
  apply(): Promise<string>;
  stop(): Promise<void>;
}

/** Runs the script that the deployments start Redis with, on this machine's Redis. */
export async function runRedisScript(passwords: Readonly<Record<string, string>>): Promise<ScriptedRedis> {
  const [port = 0] = await findFreePorts(1);
  const directory = await mkdtemp(join(tmpdir(), 'mg-redis-'));
  const { command, env } = await findRedisBinary();
  await symlink(command, join(directory, 'redis-server'));
  const client = join(dirname(command), basename(command).replace('server', 'cli'));
  await writeFile(join(directory, 'redis-cli'), `#!/bin/sh\nexec ${client} -p ${port} "$@"\n`, {
    mode: 0o755,
  });
  const environment = {
    ...passwords,
    ...omitUndefined({ LD_LIBRARY_PATH: env['LD_LIBRARY_PATH'] || undefined }),
    PATH: `${directory}${delimiter}${process.env['PATH']}`,
    REDIS_DIRECTORY: directory,
    REDISCLI_AUTH: passwords['REDIS_PASSWORD'],
  };
  const child = spawn('sh', [SCRIPT, '--port', String(port), '--bind', '127.0.0.1'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGTERM');
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await waitUntilUp(port, passwords['REDIS_PASSWORD'] ?? '');
  } catch (error) {
    await stop();
    throw error;
  }
  const apply = async () =>
    (await promisify(execFile)('sh', [SCRIPT, 'apply'], { env: environment, encoding: 'utf8' })).stdout;
  return { port, process: child, apply, stop };
}

async function waitUntilUp(port: number, password: string): Promise<void> {
  const client = new Redis({
    port,
    password,
    lazyConnect: true,
    retryStrategy: (tries) => (tries < 100 ? 50 : null),
  });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}
