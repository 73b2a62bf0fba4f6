import { GatewayError, newId } from '@mg/contract';
import { type ChannelChange, type ChannelRow, ConsoleStore, isUniqueViolation } from '@mg/persistence';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { found } from '../http/found.js';
import { findSeedOf } from '../seed/seed-id.js';
import { ChannelKeys } from './channel-keys.js';
import type { channelCreateSchema, channelPatchSchema } from './channel-schemas.js';
import { toStoredTimeouts } from './channel-timeouts.js';
import { checkChannel, FieldProblem } from './check-channel.js';

/** The life of channels. Rows and credentials change together or not at all. */
@Injectable()
export class ChannelService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  /** @throws GatewayError `invalid_request` that names the field; `conflict` when the name is taken. */
  async create(input: z.output<typeof channelCreateSchema>): Promise<ChannelRow> {
    const apiKeys = readApiKeys(input);
    const id = newId();
    const settings = checkFields({
      type: input.type,
      baseUrl: input.base_url ?? undefined,
      settings: input.settings ?? {},
      hasApiKey: apiKeys !== undefined,
    });
    await this.#write(async (store) => {
      await store.channels.insert({
        id,
        name: input.name,
        type: input.type,
        baseUrl: input.base_url ?? null,
        models: input.models,
        settings,
        priority: input.priority ?? 0,
        weight: input.weight ?? 1,
        timeouts: toStoredTimeouts(input.timeout ?? {}),
        enabled: input.enabled ?? true,
      });
      if (apiKeys) await this.keys.save(store, id, apiKeys);
    });
    return found(await this.store.channels.find(id));
  }

  /** Changes what the input names and nothing else. A channel's type is fixed. */
  async change(id: string, input: z.output<typeof channelPatchSchema>): Promise<ChannelRow> {
    const channel = found(await this.store.channels.find(id));
    const apiKeys = readApiKeys(input);
    const baseUrl = input.base_url === undefined ? channel.baseUrl : input.base_url;
    const settings = checkFields({
      type: channel.type,
      baseUrl: baseUrl ?? undefined,
      settings: input.settings ?? channel.settings,
      hasApiKey: apiKeys !== undefined || (await this.store.channels.findHints([id])).has(id),
    });
    const change: ChannelChange = {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.base_url === undefined ? {} : { baseUrl: input.base_url }),
      ...(input.models === undefined ? {} : { models: input.models }),
      ...(input.settings === undefined ? {} : { settings }),
      ...(input.priority === undefined ? {} : { priority: input.priority }),
      ...(input.weight === undefined ? {} : { weight: input.weight }),
      ...(input.timeout === undefined ? {} : { timeouts: toStoredTimeouts(input.timeout) }),
      ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
    };
    await this.#write(async (store) => {
      if (apiKeys) await this.keys.save(store, id, apiKeys);
      if (apiKeys || Object.keys(change).length > 0) await store.channels.update(id, change);
    });
    return found(await this.store.channels.find(id));
  }

  /** @throws GatewayError `conflict` for a channel that would appear again by itself. */
  async delete(id: string): Promise<void> {
    const seed = findSeedOf(id);
    if (seed) {
      throw new GatewayError(
        'conflict',
        `This channel comes back at the next start: unset ${seed.variable}, or disable the channel instead.`,
      );
    }
    if (!(await this.store.channels.delete(id))) found(null);
  }

  async #write(work: (store: ConsoleStore) => Promise<void>): Promise<void> {
    try {
      await this.store.transaction(work);
    } catch (error) {
      if (!isUniqueViolation(error, 'channel_name_key')) throw error;
      throw new GatewayError('conflict', 'name: there is a channel of this name.', { param: 'name' });
    }
  }
}

/** One key, several, or none named. @throws GatewayError when both fields are given. */
function readApiKeys(input: {
  readonly api_key?: string | undefined;
  readonly api_keys?: readonly string[] | undefined;
}): readonly string[] | undefined {
  if (input.api_key !== undefined && input.api_keys !== undefined) {
    throw new GatewayError('invalid_request', 'api_keys: give either api_key or api_keys.', {
      param: 'api_keys',
    });
  }
  return input.api_keys ?? (input.api_key === undefined ? undefined : [input.api_key]);
}

function checkFields(facts: Parameters<typeof checkChannel>[0]): Record<string, unknown> {
  try {
    return checkChannel(facts);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    throw new GatewayError('invalid_request', error.message, { param: error.param });
  }
}
