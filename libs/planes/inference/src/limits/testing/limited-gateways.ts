import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Limits, nextSequence, type ScopedLimits, scopeLimits } from '@mg/contract';
import { type LimitStore, RedisLimitStore, RedisScope } from '@mg/transport';
import type { Neighbours } from '../limit-reports.js';
import { isRefusal, Limiter } from '../limiter.js';
import type { Permit } from '../permit.js';

const ANSWERS_WITHIN_MS = 30_000;

/** The limiter of one gateway process, and how often it asked Redis for permits. */
export interface LimitedGateway {
  readonly limiter: Limiter;
  asked: number;
  close(): Promise<void>;
}

/**
 * @param name of the instance: who comes under it again is its next epoch.
 * @param findNeighbours how many gateways there are, by others than Redis.
 */
export function openGateway(
  redisUrl: string,
  secret: string,
  name: string,
  findNeighbours?: () => Promise<Neighbours>,
): LimitedGateway {
  const redis = new RedisScope({ redisUrl, secret, onRefused: () => undefined });
  const store = new RedisLimitStore({
    redis,
    owner: { instance: name, epoch: randomUUID() },
    onReady: () => limiter.reconnected(),
    onOutage: () => undefined,
    // A busy machine must not look like an outage: then each gateway keeps to its own part, and the sum is exact no longer.
    answersWithinMs: ANSWERS_WITHIN_MS,
  });
  const counted: LimitStore = {
    get ready() {
      return store.ready;
    },
    take: (items) => {
      gateway.asked++;
      return store.take(items);
    },
    report: (items) => store.report(items),
    listen: (sinceMs) => store.listen(sinceMs),
    close: () => store.close(),
  };
  const limiter = new Limiter(counted, undefined, findNeighbours);
  limiter.start();
  const gateway: LimitedGateway = { limiter, asked: 0, close: () => limiter.close() };
  return gateway;
}

export function limitsOf(limits: Limits, id: string = randomUUID()): readonly ScopedLimits[] {
  const scoped = scopeLimits('token', id, limits, nextSequence());
  return scoped ? [scoped] : [];
}

/** Takes a permit, or answers the milliseconds to wait. */
export async function take(
  { limiter }: LimitedGateway,
  limits: readonly ScopedLimits[],
  tokens = 0,
): Promise<Permit | number> {
  const outcome = await limiter.take(limits, tokens);
  return isRefusal(outcome) ? outcome.waitMs : outcome;
}

/** Waits until every gateway is known to Redis and is given permits. */
export async function warmUp(gateways: readonly LimitedGateway[]): Promise<void> {
  await Promise.all(
    gateways.map(async (gateway) => {
      while (typeof (await take(gateway, limitsOf({ rpm: 1 }))) === 'number') await sleep(50);
    }),
  );
  await sleep(1_200);
}
