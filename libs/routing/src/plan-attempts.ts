import type { Channel } from '@mg/contract';
import type { Absence, ChannelHealth } from './channel-health.js';
import {
  keepConversation,
  keepWithHolder,
  type Ordering,
  placeByStrategy,
  placeByWeight,
  type PlacedChannel,
} from './order-channels.js';

/** One channel to try, with the reason why it stands where it stands. */
export interface Attempt {
  /** The public model. */
  readonly slug: string;
  readonly channel: Channel;
  readonly upstreamModel: string;
  /** Names the conversation, where its calls are to go with one key. */
  readonly affinity?: string | undefined;
  /** Name of the one key that it may be made with; any of the channel's when left out. */
  readonly keyName?: string | undefined;
  /** Name of the key that holds what the call goes on from: used while it is healthy. */
  readonly preferredKey?: string | undefined;
  /** Whether the time to its answer counts for the order of later calls. */
  readonly isTimed?: boolean | undefined;
  /** How long a stream may take until its first event, whatever the channel allows, in milliseconds. */
  readonly firstTokenMs?: number | undefined;
  /** Whether another channel may be asked as well when the answer is late. */
  readonly isHedged?: boolean | undefined;
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
  /** Names of a channel's keys, where they are told apart. */
  readonly keysOf?: ((channel: Channel) => readonly string[]) | undefined;
  /** How equals are ordered; by weighted chance when left out. */
  readonly ordering?: Ordering | undefined;
  /** Names the conversation, where its calls are to go to one channel. */
  readonly affinity?: string | undefined;
  /** Who holds what the call goes on from; it is first among equals. */
  readonly holder?: Holder | undefined;
}

/** A channel and the name of its key. */
export interface Holder {
  readonly channelId: string;
  readonly keyName: string;
}

/** Tries on other channels that one call may cost. */
const MAX_ATTEMPTS = 3;

/**
 * Orders the channels that serve a slug: higher priority first, equals by weighted chance or the model's strategy. Channels in a cooldown
 * are left out while another may serve; a lone channel is always tried, since nothing could replace it.
 */
export function planAttempts(input: PlanInput): Plan {
  const { slug, channels, health } = input;
  const absences = channels.map((channel) => health.absence(channel.id, slug, input.keysOf?.(channel)));
  const available = channels.filter((_, index) => absences[index] === undefined);
  const candidates = available.length > 0 ? available : findLast(channels, absences);
  if (candidates.length === 0) return { attempts: [], cooldownUntilMs: findEarliest(absences) };
  const attempts: Attempt[] = [];
  const isTimed = input.ordering?.strategy === 'latency';
  for (const priority of prioritiesOf(candidates)) {
    const equals = candidates.filter((channel) => channel.priority === priority);
    for (const placed of place(equals, input)) {
      const { channel } = placed;
      attempts.push({
        slug,
        channel,
        upstreamModel: channel.models.get(slug) ?? slug,
        affinity: input.affinity,
        preferredKey: channel.id === input.holder?.channelId ? input.holder.keyName : undefined,
        isTimed: isTimed || undefined,
        reason: explain(placed, attempts.length),
      });
    }
  }
  return { attempts: attempts.slice(0, MAX_ATTEMPTS), cooldownUntilMs: undefined };
}

function prioritiesOf(channels: readonly Channel[]): number[] {
  const [first] = channels;
  if (channels.length === 1 && first) return [first.priority];
  return [...new Set(channels.map((channel) => channel.priority))].sort((a, b) => b - a);
}

function place(
  equals: readonly Channel[],
  { ordering, affinity, holder, random }: PlanInput,
): readonly PlacedChannel[] {
  const placed = ordering ? placeByStrategy(equals, ordering, random) : placeByWeight(equals, random);
  const kept = affinity === undefined ? placed : keepConversation(placed, affinity);
  return holder ? keepWithHolder(kept, holder.channelId) : kept;
}

function explain({ channel, why }: PlacedChannel, before: number): string {
  const others = before === 0 ? '' : `, after ${before} other${before === 1 ? '' : 's'}`;
  return `priority ${channel.priority}, ${why}${others}`;
}

/**
 * Whom to try when every channel is in a cooldown: somebody has to find out whether they are back. A lone channel is always
 * tried; of several the one whose cooldown ends first, but none whose upstream asked for it.
 */
function findLast(channels: readonly Channel[], absences: readonly (Absence | undefined)[]): Channel[] {
  if (channels.length === 1) return [...channels];
  const open = channels.filter((_, index) => absences[index]?.isLimited === false);
  const untilOf = (channel: Channel) => absences[channels.indexOf(channel)]?.untilMs ?? 0;
  return open.toSorted((a, b) => untilOf(a) - untilOf(b)).slice(0, 1);
}

function findEarliest(absences: readonly (Absence | undefined)[]): number | undefined {
  const moments = absences.flatMap((absence) => absence?.untilMs ?? []);
  return moments.length === 0 ? undefined : Math.min(...moments);
}
