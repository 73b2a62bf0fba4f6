import type { HoldOwner } from '@mg/contract';
import { listLiving } from '@mg/persistence/gateway';
import type { Lifecycle, Logger } from '@mg/runtime';
import { RedisLimitStore, type RedisScope } from '@mg/transport';
import type { DataSource } from 'typeorm';
import type { Neighbours } from './limits/limit-reports.js';
import { Limiter } from './limits/limiter.js';

/** For how long a gateway that stops waits for Redis to hear that it is gone. */
const LEAVE_MS = 1_500;

/** Opens the limits that this gateway keeps together with all others. */
export function openLimiter(
  redis: RedisScope,
  owner: HoldOwner,
  database: DataSource,
  logger: Logger,
  life: Lifecycle,
): Limiter {
  const store = new RedisLimitStore({
    redis,
    owner,
    onReady: () => limiter.reconnected(),
    onOutage: (error) =>
      logger.warn({ err: error }, 'limits cannot be shared: each gateway keeps to its part of them'),
  });
  const limiter = new Limiter(store, undefined, () => findNeighbours(database, owner));
  limiter.start();
  return life.own('clients', 'limits', limiter, LEAVE_MS);
}

/** By what the database knows, where each gateway reports that it is alive. */
async function findNeighbours(database: DataSource, { instance }: HoldOwner): Promise<Neighbours> {
  const living = await listLiving(database, 'gateway');
  const names = new Set([...living.map((name) => `gateway/${name}`), instance]);
  return { gateways: names.size, rank: [...names].filter((name) => name < instance).length };
}
