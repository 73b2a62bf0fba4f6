import type { AttemptCounts, ChannelAttempts } from '@mg/persistence/console';

export const CHANNEL_STATES = ['disabled', 'failing', 'degraded', 'idle', 'healthy'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

/** A channel that fails more often is degraded. */
const MOST_FAILED_SHARE = 0.05;

interface ChannelFacts {
  readonly enabled: boolean;
  /** Whether a process rests it for some model. */
  readonly isResting: boolean;
  readonly attempts: ChannelAttempts | undefined;
}

/**
 * What a channel is like, by the attempts of the last hour; without any, by those of the last day: a channel is healthy
 * only when it has answered in the last hour.
 */
export function deriveChannelState({ enabled, isResting, attempts }: ChannelFacts): ChannelState {
  if (!enabled) return 'disabled';
  if (attempts === undefined) return isResting ? 'degraded' : 'idle';
  const { hour, day } = attempts;
  if (neverAnswers(hour) || (isEmpty(hour) && neverAnswers(day))) return 'failing';
  if (isResting || failedShare(hour) > MOST_FAILED_SHARE) return 'degraded';
  return hour.served > 0 ? 'healthy' : 'idle';
}

function neverAnswers({ served, failed }: AttemptCounts): boolean {
  return served === 0 && failed > 0;
}

function isEmpty({ served, failed }: AttemptCounts): boolean {
  return served + failed === 0;
}

function failedShare({ served, failed }: AttemptCounts): number {
  return failed === 0 ? 0 : failed / (served + failed);
}
