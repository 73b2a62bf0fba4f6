import { GatewayError, newId, omitUndefined, refuse } from '@mg/contract';
import {
  type ChannelChange,
  type ChannelRow,
  ConsoleStore,
  isForeignKeyViolation,
  isUniqueViolation,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Actor, recordChange } from '../audit/record-change.js';
import { found } from '../http/found.js';
import { findSeedOf } from '../seed/seed-id.js';
import { ChannelKeys, markKey } from './channel-keys.js';
import { type ChannelCreate, type ChannelPatch, MOST_KEYS } from './channel-schemas.js';
import { toStoredTimeouts } from './channel-timeouts.js';
import { type ChannelView, toChannelView } from './channel-view.js';
import { checkAccess, checkBatches, checkSettings, requireProvider } from './check-channel.js';
import { checkApiKeys } from './check-credentials.js';
import { FieldProblem } from './field-problem.js';
import { isMoved, refuseMovedSecrets } from './keep-secrets.js';
import type { CheckedSettings } from './secret-settings.js';

/** The life of channels. Rows and credentials change together or not at all. */
@Injectable()
export class ChannelService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  /** @throws GatewayError `invalid_request` that names the field; `conflict` when the name is taken. */
  async create(actor: Actor, input: ChannelCreate): Promise<ChannelRow> {
    const apiKeys = readApiKeys(input);
    const id = newId();
    await this.#write(async (store) => {
      const provider = requireProvider(input.type);
      checkAccess(provider, { baseUrl: input.base_url ?? undefined, apiKeys });
      checkBatches(provider, input.batches);
      const settings = checkSettings(provider, input.settings ?? {});
      await store.channels.insert({
        id,
        name: input.name,
        type: input.type,
        baseUrl: input.base_url ?? null,
        models: input.models,
        settings: settings.shown,
        priority: input.priority ?? 0,
        weight: input.weight ?? 1,
        timeouts: toStoredTimeouts(input.timeout ?? {}),
        onAbort: input.on_abort ?? null,
        promptCaching: input.prompt_caching ?? 'auto',
        batches: input.batches ?? 'gateway',
        limits: input.limits ?? {},
        probeMs: input.probe ?? null,
        enabled: input.enabled ?? true,
      });
      await this.keys.save(store, id, { apiKeys, settings: settings.secret });
      const after = await this.#view(store, id);
      await recordChange(store, actor, { action: 'channel.create', targetId: id, after });
    });
    return found(await this.store.channels.find(id));
  }

  /** Changes what the input names and nothing else. A channel's type is fixed. */
  async change(actor: Actor, id: string, input: ChannelPatch): Promise<ChannelRow> {
    const apiKeys = readApiKeys(input);
    await this.#write(async (store) => {
      const channel = found(await store.channels.findLocked(id));
      checkBatches(requireProvider(channel.type), input.batches);
      const before = await this.#view(store, id);
      const checked =
        apiKeys !== undefined || input.base_url !== undefined || input.settings !== undefined
          ? await this.#checkChange(store, channel, input, apiKeys)
          : undefined;
      const settings = input.settings === undefined ? undefined : checked;
      const change: ChannelChange = omitUndefined({
        name: input.name,
        baseUrl: input.base_url,
        models: input.models,
        settings: settings?.shown,
        priority: input.priority,
        weight: input.weight,
        timeouts: input.timeout && toStoredTimeouts(input.timeout),
        onAbort: input.on_abort,
        promptCaching: input.prompt_caching,
        batches: input.batches,
        limits: input.limits,
        probeMs: input.probe,
        enabled: input.enabled,
      });
      await this.keys.save(store, id, { apiKeys, settings: settings?.secret, isMoved: checked?.isMoved });
      if (apiKeys || Object.keys(change).length > 0) await store.channels.update(id, change);
      const after = await this.#view(store, id);
      await recordChange(store, actor, { action: 'channel.change', targetId: id, before, after });
    });
    return found(await this.store.channels.find(id));
  }

  /**
   * Adds a key to those that calls take turns at.
   *
   * @throws GatewayError `invalid_request` for a key that no call could carry; `conflict` when the channel has it, or 100.
   */
  addKey(actor: Actor, id: string, apiKey: string): Promise<void> {
    return this.#changeKeys(actor, id, async (store, channel, { keys }) => {
      checkApiKeys(requireProvider(channel.type), [apiKey]);
      if (keys.length >= MOST_KEYS) {
        throw refuse('conflict', 'too_many_keys', { param: 'api_key', values: [MOST_KEYS] });
      }
      if (await this.keys.add(store, id, apiKey)) return;
      throw refuse('conflict', 'key_exists', { param: 'api_key' });
    });
  }

  /** @throws GatewayError `not_found`; `conflict` for the last key of a channel that needs one. */
  removeKey(actor: Actor, id: string, keyId: string): Promise<void> {
    return this.#changeKeys(actor, id, async (store, channel, { keys }) => {
      found(keys.find((key) => key.id === keyId));
      if (keys.length === 1 && requireProvider(channel.type).credential === 'api-key') {
        throw refuse('conflict', 'last_key');
      }
      await this.keys.remove(store, id, keyId);
      await store.channels.update(id, { disabledKeys: markKey(channel.disabledKeys, keyId, true) });
    });
  }

  /**
   * Enables a key, or disables it: nothing new is begun with it. The last one may be disabled too, and the channel then
   * serves nothing.
   *
   * @param ref - what the channel's `keys` call it. @throws GatewayError `not_found`
   */
  enableKey(actor: Actor, id: string, ref: string, enabled: boolean): Promise<void> {
    return this.#changeKeys(actor, id, async (store, channel, { keys }) => {
      found(keys.find((key) => key.ref === ref));
      await store.channels.update(id, { disabledKeys: markKey(channel.disabledKeys, ref, enabled) });
    });
  }

  async #changeKeys(
    actor: Actor,
    id: string,
    work: (store: ConsoleStore, channel: ChannelRow, before: ChannelView) => Promise<void>,
  ): Promise<void> {
    await this.#write(async (store) => {
      const channel = found(await store.channels.findLocked(id));
      const before = await this.#view(store, id);
      await work(store, channel, before);
      await store.channels.update(id, {});
      const after = await this.#view(store, id);
      await recordChange(store, actor, { action: 'channel.change', targetId: id, before, after });
    });
  }

  /**
   * @throws GatewayError `conflict` for a channel that would appear again by itself, and for one whose provider has batches: what
   *   they come to could not be charged without it.
   */
  async delete(actor: Actor, id: string): Promise<void> {
    const seed = findSeedOf(id);
    if (seed) {
      throw refuse('conflict', 'channel_comes_back', { values: [seed.variable] });
    }
    const deleting = this.store.transaction(async (store) => {
      found(await store.channels.findLocked(id));
      const before = await this.#view(store, id);
      await store.channels.delete(id);
      await recordChange(store, actor, { action: 'channel.delete', targetId: id, before });
    });
    await deleting.catch((error: unknown) => {
      if (!isForeignKeyViolation(error, 'upstream_batch_of_channel')) throw error;
      throw refuse('conflict', 'channel_has_batches');
    });
  }

  /** The channel as it is shown, without secrets. */
  async #view(store: ConsoleStore, id: string): Promise<ChannelView> {
    const secrets = await this.keys.describe(store, [id]);
    return toChannelView(found(await store.channels.find(id)), secrets.get(id));
  }

  /** Checks the channel as it will be. Answers all of its settings, with the stored secrets that the input leaves out. */
  async #checkChange(
    store: ConsoleStore,
    channel: ChannelRow,
    input: ChannelPatch,
    apiKeys: readonly string[] | undefined,
  ): Promise<CheckedSettings & { readonly isMoved: boolean }> {
    const provider = requireProvider(channel.type);
    const baseUrl = input.base_url === undefined ? channel.baseUrl : input.base_url;
    const shown = (await this.keys.describe(store, [channel.id])).get(channel.id);
    const keepsApiKey = apiKeys === undefined && (shown?.keys.length ?? 0) > 0;
    checkAccess(provider, { baseUrl: baseUrl ?? undefined, apiKeys, hasApiKey: keepsApiKey });
    const stored = await this.keys.listSettingNames(store, channel.id);
    const checked = checkSettings(provider, input.settings ?? channel.settings, stored);
    const from = { provider, baseUrl: channel.baseUrl ?? undefined, settings: channel.settings };
    const to = { provider, baseUrl: baseUrl ?? undefined, settings: checked.shown };
    refuseMovedSecrets(from, to, { apiKey: keepsApiKey, settings: checked.secret.kept });
    return { ...checked, isMoved: isMoved(from, to) };
  }

  async #write(work: (store: ConsoleStore) => Promise<void>): Promise<void> {
    try {
      await this.store.transaction(work);
    } catch (error) {
      if (error instanceof FieldProblem) {
        const { message, param, reason, values } = error;
        throw new GatewayError('invalid_request', message, { param, reason, values });
      }
      if (!isUniqueViolation(error, 'channel_name_key')) throw error;
      throw refuse('conflict', 'channel_name_taken', { param: 'name' });
    }
  }
}

/** One key, several, or none named. @throws GatewayError when both fields are given. */
function readApiKeys(input: {
  readonly api_key?: string | undefined;
  readonly api_keys?: readonly string[] | undefined;
}): readonly string[] | undefined {
  if (input.api_key !== undefined && input.api_keys !== undefined) {
    throw refuse('invalid_request', 'key_given_twice', { param: 'api_keys' });
  }
  return input.api_keys ?? (input.api_key === undefined ? undefined : [input.api_key]);
}
