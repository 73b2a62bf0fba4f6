import { GatewayError } from '@mg/contract';
import { type Plan, planAttempts } from '@mg/routing';
import type { GatewayContext } from './gateway-context.js';

/** The channels that a call may go to, in their order. @throws GatewayError `upstream_unavailable` when there is none. */
export function planCall(slug: string, gateway: GatewayContext): Plan {
  const channels = gateway.catalog().channelsBySlug.get(slug) ?? [];
  if (channels.length === 0) {
    throw new GatewayError('upstream_unavailable', `No channel serves the model "${slug}" at the moment.`);
  }
  const plan = planAttempts({ slug, channels, health: gateway.health, random: Math.random });
  if (plan.attempts.length > 0) return plan;
  const cooldownMs = Math.max(0, (plan.cooldownUntilMs ?? 0) - performance.now());
  throw new GatewayError(
    'upstream_unavailable',
    'Every channel of this model is cooling down after failures.',
    {
      retryAfter: Math.max(1, Math.ceil(cooldownMs / 1_000)),
    },
  );
}
