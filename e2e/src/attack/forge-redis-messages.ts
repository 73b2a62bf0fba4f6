import { REDIS_RULES, type RedisUser } from '@mg/transport';
import { Redis } from 'ioredis';
import { expect } from 'vitest';
import { runRedisScript } from '../deployment/run-redis-script.js';
import type { Attack } from './attack.js';

const USERS = Object.keys(REDIS_RULES) as RedisUser[];
const PASSWORD = 'a password of the attack';
/** What no plane may do: speak as billing to a gateway, or take everything away. */
const FORGERIES: readonly [string, ...string[]][] = [
  ['PUBLISH', `mg:${'0'.repeat(16)}:billing.top_up`, '{"granted":"1"}'],
  ['PUBLISH', 'billing.hold_open', '{}'],
  ['PUBLISH', 'anything', '{}'],
  ['FLUSHALL'],
  ['CONFIG', 'SET', 'requirepass', ''],
  ['ACL', 'SETUSER', 'default', 'nopass'],
  ['KEYS', '*'],
];

export const forgeRedisMessages: Attack = {
  threats: ['T30'],
  title: 'nobody speaks on Redis without a password, and no plane in the name of billing',
  async run() {
    const redis = await runRedisScript({
      REDIS_PASSWORD: PASSWORD,
      ...Object.fromEntries(
        USERS.map((user) => [`${user.toUpperCase().replace('-', '_')}_REDIS_PASSWORD`, PASSWORD]),
      ),
    });
    const stranger = new Redis({ port: redis.port, retryStrategy: () => null });
    stranger.on('error', () => undefined);
    const gateway = new Redis({ port: redis.port, username: 'gateway', password: PASSWORD });
    try {
      await expect(stranger.publish('billing.hold_open', '{}')).rejects.toThrow(/NOAUTH/);
      for (const [name, ...parameters] of FORGERIES) {
        await expect(gateway.call(name, ...parameters), `${name} by the gateway`).rejects.toThrow(/NOPERM/);
      }
    } finally {
      stranger.disconnect();
      gateway.disconnect();
      await redis.stop();
    }
  },
};
