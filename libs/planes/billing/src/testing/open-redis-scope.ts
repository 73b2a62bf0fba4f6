import { readRedisSecret } from '@mg/persistence/billing';
import { RedisScope } from '@mg/transport';
import type { DataSource } from 'typeorm';

/** The scope of the installation that a test's database belongs to, as a plane opens it. */
export async function openRedisScope(database: DataSource, redisUrl: string): Promise<RedisScope> {
  return new RedisScope({ redisUrl, secret: await readRedisSecret(database), onRefused: () => undefined });
}
