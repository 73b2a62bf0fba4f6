import { useQuery } from '@tanstack/react-query';
import { apiQuery } from './api-query.js';
import type { Attempts } from './console-api.js';

/** Gateways write what they counted every ten seconds. */
const REFRESH_MS = 10_000;

export type ChannelAttempts = Attempts['channels'][number];

/** How attempts went in the last hour and the last 24 hours; of one channel where its id is given. */
export function useAttempts(channelId?: string) {
  return useQuery({
    ...apiQuery('/api/v1/system/attempts', { query: { channel_id: channelId } }),
    refetchInterval: REFRESH_MS,
  });
}
