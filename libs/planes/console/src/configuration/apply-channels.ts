import { isDeepStrictEqual } from 'node:util';
import { type ConfigurationFile, newId } from '@mg/contract';
import type { ChannelChange, ChannelRow, ConsoleStore } from '@mg/persistence';
import type { ChannelKeys } from '../channels/channel-keys.js';
import { toStoredTimeouts } from '../channels/channel-timeouts.js';

type FileChannel = ConfigurationFile['channels'][number];

/** Creates or changes the channels of the file. Answers the names of those that changed. */
export async function applyChannels(
  store: ConsoleStore,
  keys: ChannelKeys,
  channels: readonly FileChannel[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const channel of channels) {
    if (await applyChannel(store, keys, channel)) changed.push(channel.name);
  }
  return changed;
}

async function applyChannel(store: ConsoleStore, keys: ChannelKeys, channel: FileChannel): Promise<boolean> {
  const apiKeys = channel.api_keys ?? (channel.api_key === undefined ? undefined : [channel.api_key]);
  const existing = await store.channels.findByName(channel.name);
  if (!existing) {
    const id = newId();
    await store.channels.insert({ id, name: channel.name, ...defaults, ...toColumns(channel) });
    if (apiKeys) await keys.save(store, id, apiKeys);
    return true;
  }
  const change = findDifferences(existing, toColumns(channel));
  const rowChanged = Object.keys(change).length > 0;
  if (rowChanged) await store.channels.update(existing.id, change);
  const keysChanged = apiKeys !== undefined && (await keys.save(store, existing.id, apiKeys));
  return rowChanged || keysChanged;
}

const defaults = {
  baseUrl: null,
  settings: {},
  priority: 0,
  weight: 1,
  timeouts: {},
  enabled: true,
} satisfies ChannelChange;

/** The columns that the file names. */
function toColumns(channel: FileChannel) {
  return {
    type: channel.type,
    models: channel.models,
    ...(channel.base_url === undefined ? {} : { baseUrl: channel.base_url }),
    ...(channel.settings === undefined ? {} : { settings: channel.settings }),
    ...(channel.priority === undefined ? {} : { priority: channel.priority }),
    ...(channel.weight === undefined ? {} : { weight: channel.weight }),
    ...(channel.timeout === undefined ? {} : { timeouts: toStoredTimeouts(channel.timeout) }),
    ...(channel.enabled === undefined ? {} : { enabled: channel.enabled }),
  };
}

function findDifferences(existing: ChannelRow, wanted: ChannelChange): ChannelChange {
  const different = Object.entries(wanted).filter(
    ([column, value]) => !isDeepStrictEqual(existing[column as keyof ChannelRow], value),
  );
  return Object.fromEntries(different) as ChannelChange;
}
