import type { ChannelRow } from '@mg/persistence';
import type { z } from 'zod';
import type { channelSchema } from './channel-schemas.js';
import { toTimeoutView } from './channel-timeouts.js';

export type ChannelView = z.output<typeof channelSchema>;

/** What is shown of a channel: of its credentials, hints. */
export function toChannelView(channel: ChannelRow, keyHints: readonly string[]): ChannelView {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl,
    key_hints: [...keyHints],
    models: channel.models,
    settings: channel.settings,
    priority: channel.priority,
    weight: channel.weight,
    timeout: toTimeoutView(channel.timeouts),
    enabled: channel.enabled,
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}
