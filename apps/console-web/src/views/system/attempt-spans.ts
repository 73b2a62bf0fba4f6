import type { ChannelAttempts } from '../../api/use-attempts.js';

/** Spans of time that attempts are counted over. */
export const SPANS = ['hour', 'day'] as const;
export type Span = (typeof SPANS)[number];

/** What the attempts at a channel, or at one of its models by one key, say. */
export type AttemptFigures = Pick<ChannelAttempts, 'state' | 'last_failure' | Span>;

const PER_MILLE = 1_000;

/** A share to a tenth of a per cent, cut off: what has failed once is never 100%. */
export function cutShare(share: number): number {
  return Math.floor(share * PER_MILLE) / PER_MILLE;
}
