import type { HoldOwner } from '@mg/contract';
import type { Lifecycle, Logger } from '@mg/runtime';
import { RedisLimitStore, type RedisScope } from '@mg/transport';
import { Limiter } from './limits/limiter.js';

/** For how long a gateway that stops waits for Redis to hear that it is gone. */
const LEAVE_MS = 1_500;

/** Opens the limits that this gateway keeps together with all others. */
export function openLimiter(redis: RedisScope, owner: HoldOwner, logger: Logger, life: Lifecycle): Limiter {
  const store = new RedisLimitStore({
    redis,
    owner,
    onReady: () => limiter.reconnected(),
    onOutage: (error) =>
      logger.warn({ err: error }, 'limits cannot be shared: each gateway keeps to its part of them'),
  });
  const limiter = new Limiter(store);
  limiter.start();
  return life.own('clients', 'limits', limiter, LEAVE_MS);
}
