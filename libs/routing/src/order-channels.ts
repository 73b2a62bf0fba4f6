import { type Channel, type RoutingStrategy, toUsdNumber } from '@mg/contract';
import type { AnswerKind, ChannelLoad } from './channel-load.js';
import { findByAffinity } from './rendezvous.js';

/** How channels of equal priority are ordered. */
export interface Ordering {
  readonly strategy: RoutingStrategy;
  readonly slug: string;
  readonly load: ChannelLoad;
  readonly answer: AnswerKind;
  /** What a million tokens in and out cost at the channel, in nano-dollars, where that is known. */
  readonly costOf: (channel: Channel) => bigint | undefined;
}

/** A channel in its place, and why it stands there. */
export interface PlacedChannel {
  readonly channel: Channel;
  readonly why: string;
}

interface Rated {
  readonly channel: Channel;
  /** The least is the best. */
  readonly rating: number;
  readonly why: string;
}

/** By weighted chance. */
export function placeByWeight(equals: readonly Channel[], random: () => number): PlacedChannel[] {
  return shuffleByWeight(equals, random).map((channel) => ({
    channel,
    why: equals.length === 1 ? 'the only one' : `chosen by weight ${channel.weight} among ${equals.length}`,
  }));
}

/** By a strategy: the best first; by weighted chance among those as good, and those without weight last. */
export function placeByStrategy(
  equals: readonly Channel[],
  ordering: Ordering,
  random: () => number,
): PlacedChannel[] {
  const rated = shuffleByWeight(equals, random).map((channel) => rate(channel, ordering));
  rated.sort(
    (a, b) => Number(a.channel.weight === 0) - Number(b.channel.weight === 0) || a.rating - b.rating,
  );
  return rated.map(({ channel, why }, index) => ({
    channel,
    why: `by ${ordering.strategy}: ${why}, place ${index + 1} of ${rated.length}`,
  }));
}

/** Puts the channel first that the conversation belongs to; it has read the conversation's beginning before. */
export function keepConversation(placed: readonly PlacedChannel[], affinity: string): PlacedChannel[] {
  const own = findByAffinity(affinity, placed, {
    nameOf: ({ channel }) => channel.id,
    weightOf: ({ channel }) => channel.weight,
  });
  if (!own) return [];
  const why = `kept for this conversation among ${placed.length}`;
  return [{ channel: own.channel, why }, ...placed.filter((one) => one !== own)];
}

/** Puts the channel first that holds what the call goes on from, unless it is to be asked last. */
export function keepWithHolder(
  placed: readonly PlacedChannel[],
  channelId: string,
): readonly PlacedChannel[] {
  const holder = placed.find(({ channel }) => channel.id === channelId);
  if (!holder || holder.channel.weight === 0) return placed;
  const why = 'the one that holds the response before';
  return [{ channel: holder.channel, why }, ...placed.filter((one) => one !== holder)];
}

function rate(channel: Channel, { strategy, slug, load, answer, costOf }: Ordering): Rated {
  switch (strategy) {
    case 'latency': {
      const ms = load.latency(channel.id, slug, answer);
      // One that was never measured is tried, and measured thereby.
      if (ms === undefined) return { channel, rating: -1, why: 'not measured yet' };
      const what = answer === 'stream' ? 'to the first event' : 'to a whole answer';
      return { channel, rating: ms, why: `${Math.round(ms)} ms ${what}` };
    }
    case 'busy': {
      const calls = load.inFlight(channel.id);
      return { channel, rating: calls / Math.max(channel.weight, 1), why: `${calls} calls in flight` };
    }
    case 'cost': {
      const cost = costOf(channel);
      if (cost === undefined)
        return { channel, rating: Number.POSITIVE_INFINITY, why: 'its price is not known' };
      const usd = toUsdNumber(cost);
      return { channel, rating: usd, why: `${usd} USD for a million tokens in and out` };
    }
    case 'priority':
      return { channel, rating: 0, why: `weight ${channel.weight}` };
  }
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
