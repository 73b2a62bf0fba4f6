import { announceHealth } from '@mg/persistence/gateway';
import { ChannelHealth, type HealthChange } from '@mg/routing';
import type { Logger } from '@mg/runtime';
import type { DataSource } from 'typeorm';
import { z } from 'zod';

/** Characters of an upstream's words that other gateways are told. */
const MAX_REASON = 256;

const changeSchema = z.object({
  from: z.string(),
  channelId: z.string(),
  slug: z.string(),
  key: z.string().optional(),
  cooldownMs: z.number().min(0),
  consecutiveFailures: z.int().min(0),
  ejections: z.int().min(0),
  kind: z.enum(['unreachable', 'broken', 'credential', 'limited']),
  reason: z.string().optional(),
});

/** The health of channels as this process sees it, and as the other gateways report it. */
export interface SharedHealth {
  readonly health: ChannelHealth;
  /** Takes over what another gateway announced. */
  hear(payload: string): void;
}

/**
 * What fails here counts here at once, and at the other gateways as soon as they hear of it. An announcement that is lost
 * costs a few calls: each gateway finds out by itself.
 *
 * @param self name of this life of the process.
 */
export function openHealth(database: DataSource, self: string, logger: Logger): SharedHealth {
  const announce = (change: HealthChange) => {
    const { channelId, slug, key, reason, ...figures } = change;
    const message = { from: self, channelId, slug, key, reason: reason?.slice(0, MAX_REASON), ...figures };
    logger.info(
      { channel_id: channelId, model: slug, key, reason: message.reason, ...figures },
      'channel health',
    );
    announceHealth(database, JSON.stringify(message)).catch((error: unknown) => {
      logger.warn({ err: error }, 'the health of a channel was not announced to other gateways');
    });
  };
  const health = new ChannelHealth(() => performance.now(), announce);
  return {
    health,
    hear(payload) {
      const change = changeSchema.safeParse(parseJson(payload));
      if (change.success && change.data.from !== self)
        health.apply({ ...change.data, reason: change.data.reason });
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
