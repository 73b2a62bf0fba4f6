import { readFile } from 'node:fs/promises';
import {
  createBillingClient,
  createChannelTester,
  createTaskWaker,
  REDIS_RULES,
  RedisLimitStore,
  RedisScope,
  type RedisUser,
  serveChannelTests,
} from '@mg/transport';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRedisScript, type ScriptedRedis } from './run-redis-script.js';

const USERS = Object.keys(REDIS_RULES) as RedisUser[];
/** With everything that a shell could take for something else. */
const PASSWORD = `it's a "secret" $HOME & more ~* #`;
const HERE = `mg:${'0'.repeat(16)}:`;
const QUEUE_KEY = `${HERE}video-tasks:wait`;

let redis: ScriptedRedis;
let administrator: Redis;
const lines = new Map<RedisUser, Redis>();

function passwordOf(user: RedisUser): string {
  return `${PASSWORD} ${user}`;
}

function urlOf(user: RedisUser): string {
  return `redis://${user}:${encodeURIComponent(passwordOf(user))}@127.0.0.1:${redis.port}`;
}

function scopeOf(user: RedisUser): RedisScope {
  return new RedisScope({ redisUrl: urlOf(user), secret: 'an installation', onRefused: () => undefined });
}

beforeAll(async () => {
  redis = await runRedisScript({
    REDIS_PASSWORD: PASSWORD,
    ...Object.fromEntries(
      USERS.map((user) => [`${user.toUpperCase().replace('-', '_')}_REDIS_PASSWORD`, passwordOf(user)]),
    ),
  });
  administrator = new Redis({ port: redis.port, password: PASSWORD });
  for (const user of USERS) {
    lines.set(user, new Redis({ port: redis.port, username: user, password: passwordOf(user) }));
  }
});

afterAll(async () => {
  for (const line of [administrator, ...lines.values()]) line.disconnect();
  await redis.stop();
});

async function ask(user: RedisUser, ...command: [string, ...string[]]): Promise<unknown> {
  const [name, ...parameters] = command;
  return lines.get(user)?.call(name, ...parameters);
}

describe('the script that starts Redis', () => {
  it('keeps what is written, evicts nothing, and lets nobody in without a password', async () => {
    expect(await administrator.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
    expect(await administrator.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
    const stranger = new Redis({ port: redis.port, retryStrategy: () => null });
    await expect(stranger.get('x')).rejects.toThrow(/NOAUTH/);
    stranger.disconnect();
  });

  it('shows no password among the processes', async () => {
    const commandLine = await readFile(`/proc/${redis.process.pid}/cmdline`, 'utf8');
    expect(commandLine).toContain('redis-server');
    expect(commandLine).not.toContain('secret');
  });

  it('engines 2: gives a Redis that runs the rules of a new version, and keeps passwords', async () => {
    const rulesOf = async (user: string) => administrator.call('ACL', 'GETUSER', user);
    const users = ['default', ...USERS];
    const before = await Promise.all(users.map(rulesOf));
    await administrator.call('ACL', 'SETUSER', 'gateway', 'resetchannels', '-publish');
    await expect(ask('gateway', 'PUBLISH', `${HERE}billing.ping`, '{}')).rejects.toThrow(/NOPERM/);
    expect((await redis.apply()).trim().split('\n')).toEqual(users.map(() => 'OK'));
    expect(await ask('gateway', 'PUBLISH', `${HERE}billing.ping`, '{}')).toBe(0);
    expect(await Promise.all(users.map(rulesOf))).toEqual(before);
  });
});

const FORBIDDEN: readonly [string, ...string[]][] = [
  ['FLUSHALL'],
  ['FLUSHDB'],
  ['KEYS', '*'],
  ['SCAN', '0'],
  ['RANDOMKEY'],
  ['DBSIZE'],
  ['CONFIG', 'GET', '*'],
  ['CONFIG', 'SET', 'dir', '/tmp'],
  ['ACL', 'LIST'],
  ['ACL', 'SETUSER', 'default', 'nopass'],
  ['CLIENT', 'LIST'],
  ['CLIENT', 'KILL', 'TYPE', 'normal'],
  ['MONITOR'],
  ['DEBUG', 'SLEEP', '0'],
  ['SHUTDOWN', 'NOSAVE'],
  ['REPLICAOF', 'NO', 'ONE'],
  ['SCRIPT', 'FLUSH'],
  ['FUNCTION', 'FLUSH'],
  ['PUBSUB', 'CHANNELS'],
  ['PSUBSCRIBE', '*'],
  ['SUBSCRIBE', '__keyspace@0__:x'],
  ['PUBLISH', 'anything', 'x'],
  ['GET', 'somebody-elses'],
  ['SET', 'somebody-elses', 'x'],
  ['PUBLISH', 'billing.ping', '{}'],
  ['SET', 'claim:gateway:x', '1'],
];

const FORBIDDEN_TO: Readonly<Record<RedisUser, readonly [string, ...string[]][]>> = {
  gateway: [
    ['PUBLISH', `${HERE}billing.top_up`, '{}'],
    ['PUBLISH', `${HERE}billing.wallet_open`, '{}'],
    ['SUBSCRIBE', `${HERE}billing.top_up`],
    ['SET', `${HERE}claim:billing:x`, '1'],
    ['EVAL', `return redis.call('GET', 'somebody-elses')`, '0'],
    ['EVAL', `return redis.call('FLUSHALL')`, '0'],
  ],
  billing: [
    ['GET', QUEUE_KEY],
    ['LPUSH', QUEUE_KEY, 'x'],
    ['EVAL', 'return 1', '0'],
    ['SET', `${HERE}claim:gateway:x`, '1'],
    ['HGETALL', `${HERE}limit:gateways`],
    ['PUBLISH', `${HERE}gateway.channel_test`, '{}'],
  ],
  'video-worker': [
    ['DEL', `${HERE}limit:life`],
    ['HGETALL', `${HERE}limit:gateways`],
    ['HINCRBY', `${HERE}limit:token:x:rpm`, '1', '1'],
    ['PUBLISH', `${HERE}billing.top_up`, '{}'],
    ['PUBLISH', `${HERE}billing.hold_open`, '{}'],
    ['PUBLISH', `${HERE}gateway.channel_test`, '{}'],
    ['SET', `${HERE}claim:billing:x`, '1'],
    ['EVAL', `return redis.call('KEYS', '*')`, '0'],
  ],
  console: [
    ['PUBLISH', `${HERE}billing.hold_open`, '{}'],
    ['PUBLISH', `${HERE}billing.task_end`, '{}'],
    ['LRANGE', QUEUE_KEY, '0', '-1'],
    ['SET', `${HERE}claim:billing:x`, '1'],
    ['EVAL', 'return 1', '0'],
  ],
};

describe.each(USERS)('the user of %s', (user) => {
  it.each([...FORBIDDEN, ...FORBIDDEN_TO[user]].map((command) => [command.join(' '), command] as const))(
    'may not %s',
    async (_text, command) => {
      await expect(ask(user, ...command)).rejects.toThrow(/NOPERM|not allowed|can't (run|access)/);
    },
  );
});

describe('under their own users', () => {
  it.each([
    ['a gateway keeps limits', 'gateway', 'token:x:rpm', ''],
    ['a video worker counts in those of channels', 'video-worker', 'channel:x:rpm', 'channel:'],
  ] as const)('%s', async (_what, user, name, apart) => {
    const meter = { name, kind: 'window', limit: 1, bucketMs: 1_000, buckets: 60 } as const;
    const { promise: isReady, resolve } = Promise.withResolvers<void>();
    const store = new RedisLimitStore({
      redis: scopeOf(user),
      owner: { instance: 'one', epoch: 'e' },
      onReady: resolve,
      onOutage: () => undefined,
      apart,
    });
    await isReady;
    const report = await store.report([{ meter, bucket: -1, amount: 1 }]);
    expect(report).toMatchObject({ gateways: 1, rank: 0, used: [1] });
    expect(await store.take([{ meter, need: 1, want: 0 }])).toMatchObject({ state: 'later' });
    expect(await store.listen(0)).toMatchObject({ figures: [{ name, used: 1 }] });
    await store.close();
  });

  it('a gateway tries a channel for a console, and nobody else is notified of it', async () => {
    const outcome = { ok: true, latency_ms: 1, status: 200 };
    const gateway = serveChannelTests(scopeOf('gateway'), {
      testChannel: async (id, model) => ({ ...outcome, message: `${id} ${model}` }),
      listModels: async (id) => ({ ...outcome, message: id, supported: true, models: [{ name: 'listed' }] }),
    });
    const console = createChannelTester(scopeOf('console'));
    await expect
      .poll(() => console.testChannel('channel', 'model').catch(() => undefined))
      .toMatchObject({ message: 'channel model' });
    expect(await console.listModels('channel')).toMatchObject({ models: [{ name: 'listed' }] });
    await Promise.all([console.close(), gateway.close()]);
  });

  it('a gateway wakes the workers and calls a task off', async () => {
    const troubles: Error[] = [];
    const waker = createTaskWaker(scopeOf('gateway'), (error) => troubles.push(error));
    const taskId = '0190c2a4-0000-7000-8000-000000000000';
    await waker.wake(taskId);
    expect(await waker.cancel(taskId)).toBe(true);
    expect(troubles).toEqual([]);
    const waiting = scopeOf('video-worker').name('video-tasks:wait');
    expect(await ask('video-worker', 'LLEN', waiting)).toBe(2);
    await waker.close();
  });

  it('billing is looked for, and found away in time', async () => {
    const client = createBillingClient({ redis: scopeOf('gateway') });
    await expect(client.ping()).rejects.toMatchObject({ code: 'service_unavailable' });
    await client.close();
  });
});
