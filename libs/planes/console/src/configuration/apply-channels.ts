import { isDeepStrictEqual } from 'node:util';
import { type ConfigurationFile, newId } from '@mg/contract';
import type { ChannelChange, ChannelRow, ConsoleStore } from '@mg/persistence';
import { findProvider } from '@mg/providers';
import type { ChannelKeys, SecretChange } from '../channels/channel-keys.js';
import { toStoredTimeouts } from '../channels/channel-timeouts.js';
import { checkSettings, requireProvider } from '../channels/check-channel.js';
import { FieldProblem } from '../channels/field-problem.js';
import { refuseMovedSecrets } from '../channels/keep-secrets.js';
import type { CheckedSettings } from '../channels/secret-settings.js';
import { ConfigurationError } from './read-configuration.js';

type FileChannel = ConfigurationFile['channels'][number];

/**
 * Creates or changes the channels of the file. Answers the names of those that changed.
 *
 * @throws ConfigurationError for settings that are wrong together with the stored secrets.
 */
export async function applyChannels(
  store: ConsoleStore,
  keys: ChannelKeys,
  channels: readonly FileChannel[],
): Promise<string[]> {
  const changed: string[] = [];
  for (const [index, channel] of channels.entries()) {
    try {
      if (await applyChannel(store, keys, channel)) changed.push(channel.name);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      throw new ConfigurationError(`channels[${index}].${error.message}`);
    }
  }
  return changed;
}

async function applyChannel(store: ConsoleStore, keys: ChannelKeys, channel: FileChannel): Promise<boolean> {
  const apiKeys = channel.api_keys ?? (channel.api_key === undefined ? undefined : [channel.api_key]);
  const existing = await store.channels.findLocked({ name: channel.name });
  const settings = await readSettings(store, keys, channel, existing);
  const columns = { ...toColumns(channel), ...(settings && { settings: settings.shown }) };
  const secrets = { ...(apiKeys && { apiKeys }), ...(settings && { settings: settings.secret }) };
  if (!existing) {
    const id = newId();
    await store.channels.insert({ id, name: channel.name, ...defaults, ...columns });
    await keys.save(store, id, secrets);
    return true;
  }
  await refuseMovedChannel(store, keys, existing, { columns, secrets });
  const change = findDifferences(existing, columns);
  const rowChanged = Object.keys(change).length > 0;
  if (rowChanged) await store.channels.update(existing.id, change);
  const secretsChanged = await keys.save(store, existing.id, secrets);
  return rowChanged || secretsChanged;
}

/** @throws FieldProblem when the channel moves to another address and the file leaves out a secret that is stored. */
async function refuseMovedChannel(
  store: ConsoleStore,
  keys: ChannelKeys,
  existing: ChannelRow,
  { columns, secrets }: { readonly columns: ChannelChange; readonly secrets: SecretChange },
): Promise<void> {
  const after = { ...existing, ...columns };
  const stored = (await keys.describe(store, [existing.id])).get(existing.id);
  refuseMovedSecrets(findAddress(existing), findAddress(after), {
    apiKey: secrets.apiKeys === undefined && (stored?.keyHints.length ?? 0) > 0,
    settings: secrets.settings?.kept ?? stored?.settingNames ?? [],
  });
}

function findAddress({ type, baseUrl, settings }: Pick<ChannelRow, 'type' | 'baseUrl' | 'settings'>) {
  return { provider: findProvider(type), baseUrl: baseUrl ?? undefined, settings };
}

/** The settings to store; `undefined` leaves the stored ones alone. A new type takes nothing over from the old one. */
async function readSettings(
  store: ConsoleStore,
  keys: ChannelKeys,
  channel: FileChannel,
  existing: ChannelRow | null,
): Promise<CheckedSettings | undefined> {
  const provider = requireProvider(channel.type);
  if (existing?.type !== channel.type) return checkSettings(provider, channel.settings ?? {});
  if (channel.settings === undefined) return undefined;
  return checkSettings(provider, channel.settings, await keys.listSettingNames(store, existing.id));
}

const defaults = {
  baseUrl: null,
  settings: {},
  priority: 0,
  weight: 1,
  timeouts: {},
  enabled: true,
} satisfies ChannelChange;

/** The columns that the file names, but for the settings. */
function toColumns(channel: FileChannel) {
  return {
    type: channel.type,
    models: channel.models,
    ...(channel.base_url === undefined ? {} : { baseUrl: channel.base_url }),
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
