import type { ChannelRow } from '@mg/persistence/console';
import { findProvider } from '@mg/providers';
import type { z } from 'zod';
import type { ShownSecrets } from './channel-keys.js';
import type { channelSchema } from './channel-schemas.js';
import { toTimeoutView, writeDuration } from './channel-timeouts.js';
import { splitSettings } from './secret-settings.js';

export type ShownChannel = z.output<typeof channelSchema>;

/** A channel by itself, as the audit log keeps it: without what the models make of it. */
export type ChannelView = Omit<ShownChannel, 'uncallable_models'>;

/** What is shown of a channel: of its keys, hints; of its secret settings, the names. */
export function toChannelView(channel: ChannelRow, secrets: ShownSecrets | undefined): ChannelView {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    base_url: channel.baseUrl,
    key_hints: secrets?.keys.map(({ hint }) => hint) ?? [],
    keys: (secrets?.keys ?? []).map((key) => ({ ...key, enabled: !channel.disabledKeys.includes(key.ref) })),
    models: channel.models,
    settings: splitSettings(findProvider(channel.type) ?? {}, channel.settings).shown,
    secret_settings: [...(secrets?.settingNames ?? [])],
    priority: channel.priority,
    weight: channel.weight,
    timeout: toTimeoutView(channel.timeouts),
    on_abort: channel.onAbort,
    prompt_caching: channel.promptCaching,
    batches: channel.batches,
    limits: channel.limits,
    probe: writeDuration(channel.probeMs ?? undefined) ?? null,
    enabled: channel.enabled,
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}
