import { isDeepStrictEqual } from 'node:util';
import { type ConfigurationFile, newId, omitUndefined } from '@mg/contract';
import {
  API_KEYS,
  type ChannelChange,
  type ChannelRow,
  type ConsoleStore,
  type KnownCredential,
  listKeyRefs,
} from '@mg/persistence/console';
import { findProvider } from '@mg/providers';
import { findDifferences } from '../changes/find-differences.js';
import { type ChannelKeys, markKey, type SecretChange, type ShownSecrets } from '../channels/channel-keys.js';
import { toStoredTimeouts } from '../channels/channel-timeouts.js';
import { checkBatches, checkSettings, requireProvider } from '../channels/check-channel.js';
import { FieldProblem } from '../channels/field-problem.js';
import { isMoved, refuseMovedSecrets } from '../channels/keep-secrets.js';
import type { CheckedSettings } from '../channels/secret-settings.js';
import { found } from '../http/found.js';
import { ConfigurationError } from './read-configuration.js';
import { type FileKey, readFileKeys } from './read-file-keys.js';

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
  const stored = await readStored(store, keys, channels);
  const changed: string[] = [];
  for (const [index, channel] of channels.entries()) {
    try {
      if (await applyChannel(store, keys, channel, stored.get(channel.name))) changed.push(channel.name);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      throw new ConfigurationError(`channels[${index}].${error.message}`);
    }
  }
  return changed;
}

/** What is stored of one channel of a file. */
interface StoredChannel {
  readonly row: ChannelRow;
  readonly credentials: readonly KnownCredential[];
  readonly shown: ShownSecrets;
}

const NO_SECRETS: ShownSecrets = { keys: [], settingNames: [] };

/** Reads all at once, by name: most of a long file is as it was, and whoever changed a line waits for the whole. */
async function readStored(
  store: ConsoleStore,
  keys: ChannelKeys,
  channels: readonly FileChannel[],
): Promise<Map<string, StoredChannel>> {
  const rows = await store.channels.findAllLocked(channels.map(({ name }) => name));
  const ids = [...rows.values()].map(({ id }) => id);
  const known = await store.channels.listCredentials(ids);
  const shown = await keys.describe(store, ids, known);
  const credentials = Map.groupBy(known, (row) => row.channelId);
  return new Map(
    [...rows].map(([name, row]) => [
      name,
      { row, credentials: credentials.get(row.id) ?? [], shown: shown.get(row.id) ?? NO_SECRETS },
    ]),
  );
}

async function applyChannel(
  store: ConsoleStore,
  keys: ChannelKeys,
  channel: FileChannel,
  stored: StoredChannel | undefined,
): Promise<boolean> {
  const fileKeys = readFileKeys(channel);
  const apiKeys = fileKeys?.map(({ key }) => key);
  const settings = readSettings(channel, stored);
  checkBatches(requireProvider(channel.type), channel.batches ?? stored?.row.batches);
  const columns = { ...toColumns(channel), ...omitUndefined({ settings: settings?.shown }) };
  const secrets = { apiKeys, settings: settings?.secret };
  if (!stored) {
    const id = newId();
    await store.channels.insert({ id, name: channel.name, ...defaults, ...columns });
    await keys.save(store, id, secrets, []);
    await markFileKeys(store, id, fileKeys);
    return true;
  }
  refuseMovedChannel(stored, columns, secrets);
  const { row, credentials } = stored;
  const change = findDifferences(row, columns);
  const rowChanged = Object.keys(change).length > 0;
  if (rowChanged) await store.channels.update(row.id, change);
  const moves = isMoved(findAddress(row), findAddress({ ...row, ...columns }));
  const secretsChanged = await keys.save(store, row.id, { ...secrets, isMoved: moves }, credentials);
  const keysMarked = await markFileKeys(store, row.id, fileKeys);
  return rowChanged || secretsChanged || keysMarked;
}

/** Enables and disables keys as the file says of each. Answers whether that changed anything. */
async function markFileKeys(
  store: ConsoleStore,
  channelId: string,
  keys: readonly FileKey[] = [],
): Promise<boolean> {
  if (keys.every(({ enabled }) => enabled === undefined)) return false;
  const { disabledKeys: before } = found(await store.channels.find(channelId));
  const refs = listKeyRefs(API_KEYS, keys.length);
  const after = keys.reduce<readonly string[]>(
    (disabled, { enabled }, place) =>
      enabled === undefined ? disabled : markKey(disabled, refs[place] ?? '', enabled),
    before,
  );
  if (isDeepStrictEqual(before.toSorted(), after.toSorted())) return false;
  await store.channels.update(channelId, { disabledKeys: [...after] });
  return true;
}

/** @throws FieldProblem when the channel moves to another address and the file leaves out a secret that is stored. */
function refuseMovedChannel(
  { row, shown }: StoredChannel,
  columns: ChannelChange,
  secrets: SecretChange,
): void {
  refuseMovedSecrets(findAddress(row), findAddress({ ...row, ...columns }), {
    apiKey: secrets.apiKeys === undefined && shown.keys.length > 0,
    settings: secrets.settings?.kept ?? shown.settingNames,
  });
}

function findAddress({ type, baseUrl, settings }: Pick<ChannelRow, 'type' | 'baseUrl' | 'settings'>) {
  return { provider: findProvider(type), baseUrl: baseUrl ?? undefined, settings };
}

/** The settings to store; `undefined` leaves the stored ones alone. A new type takes nothing over from the old one. */
function readSettings(channel: FileChannel, stored: StoredChannel | undefined): CheckedSettings | undefined {
  const provider = requireProvider(channel.type);
  if (stored?.row.type !== channel.type) return checkSettings(provider, channel.settings ?? {});
  if (channel.settings === undefined) return undefined;
  return checkSettings(provider, channel.settings, stored.shown.settingNames);
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
    ...omitUndefined({
      baseUrl: channel.base_url,
      priority: channel.priority,
      weight: channel.weight,
      timeouts: channel.timeout && toStoredTimeouts(channel.timeout),
      onAbort: channel.on_abort,
      promptCaching: channel.prompt_caching,
      batches: channel.batches,
      limits: channel.limits,
      probeMs: channel.probe === 'off' ? null : channel.probe,
      enabled: channel.enabled,
    }),
  };
}
