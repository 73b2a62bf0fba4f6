import type { Channel } from '@mg/contract';
import type { ChannelHealth } from './channel-health.js';

/** One channel to try, with the reason why it stands where it stands. */
export interface Attempt {
  /** The public model. */
  readonly slug: string;
  readonly channel: Channel;
  readonly upstreamModel: string;
  readonly reason: string;
}

export interface Plan {
  /** In the order to try; no channel twice. */
  readonly attempts: readonly Attempt[];
  /** When nothing may be tried: the moment, in the health clock's milliseconds, at which the first channel is back. */
  readonly cooldownUntilMs: number | undefined;
}

export interface PlanInput {
  readonly slug: string;
  readonly channels: readonly Channel[];
  readonly health: ChannelHealth;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Tries on other channels that one call may cost. */
const MAX_ATTEMPTS = 3;

/**
 * Orders the channels that serve a slug: higher priority first, by weighted chance among equals. Channels in a cooldown
 * are left out while another may serve; a lone channel is always tried, since nothing could replace it.
 */
export function planAttempts(input: PlanInput): Plan {
  const { slug, channels, health, random } = input;
  const available = channels.filter((channel) => health.cooldownUntil(channel.id, slug) === undefined);
  if (available.length === 0 && channels.length > 1) {
    return { attempts: [], cooldownUntilMs: earliestCooldownEnd(slug, channels, health) };
  }
  const candidates = available.length === 0 ? channels : available;
  const attempts: Attempt[] = [];
  for (const priority of prioritiesOf(candidates)) {
    const equals = candidates.filter((channel) => channel.priority === priority);
    for (const channel of shuffleByWeight(equals, random)) {
      const upstreamModel = channel.models.get(slug) ?? slug;
      attempts.push({
        slug,
        channel,
        upstreamModel,
        reason: explain(channel, equals.length, attempts.length),
      });
    }
  }
  return { attempts: attempts.slice(0, MAX_ATTEMPTS), cooldownUntilMs: undefined };
}

function prioritiesOf(channels: readonly Channel[]): number[] {
  return [...new Set(channels.map((channel) => channel.priority))].sort((a, b) => b - a);
}

function shuffleByWeight(channels: readonly Channel[], random: () => number): Channel[] {
  const left = [...channels];
  const order: Channel[] = [];
  while (left.length > 0) {
    const [picked] = left.splice(pickIndex(left, random), 1);
    if (picked) order.push(picked);
  }
  return order;
}

function pickIndex(channels: readonly Channel[], random: () => number): number {
  const total = channels.reduce((sum, channel) => sum + channel.weight, 0);
  let mark = random() * total;
  for (const [index, channel] of channels.entries()) {
    mark -= channel.weight;
    if (mark < 0) return index;
  }
  return 0;
}

function explain(channel: Channel, equals: number, before: number): string {
  const share = equals === 1 ? 'the only one' : `chosen by weight ${channel.weight} among ${equals}`;
  const place = before === 0 ? '' : `, after ${before} other${before === 1 ? '' : 's'}`;
  return `priority ${channel.priority}, ${share}${place}`;
}

function earliestCooldownEnd(
  slug: string,
  channels: readonly Channel[],
  health: ChannelHealth,
): number | undefined {
  const moments = channels
    .map((channel) => health.cooldownUntil(channel.id, slug))
    .filter((moment) => moment !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}
