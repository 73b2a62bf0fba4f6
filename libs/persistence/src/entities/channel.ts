import type { AbortPolicy, BatchCarrier, Limits, PromptCaching } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

/** A channel's own time limits in milliseconds; what is absent has the default. */
export interface StoredTimeouts {
  connect_ms?: number;
  first_byte_ms?: number;
  idle_ms?: number;
  total_ms?: number;
}

/** One way to an upstream. */
export interface ChannelRow {
  id: string;
  name: string;
  /** Id of a provider descriptor. */
  type: string;
  baseUrl: string | null;
  /** Public slug to the upstream's own model name. */
  models: Record<string, string>;
  settings: Record<string, unknown>;
  priority: number;
  weight: number;
  timeouts: StoredTimeouts;
  /** That of the type when null. */
  onAbort: AbortPolicy | null;
  promptCaching: PromptCaching;
  batches: BatchCarrier;
  limits: Limits;
  /** Probed when it had no calls for so long; `null`: never. */
  probeMs: number | null;
  enabled: boolean;
  /** What its disabled keys are known by, as `listKeyRefs` names them. */
  disabledKeys: string[];
  createdAt: Date;
  updatedAt: Date;
  /** Its credentials, where the query joins them. */
  credentials?: ChannelCredentialRow[];
  legacySecret?: ChannelSecretRow | null;
}

export const ChannelEntity = new EntitySchema<ChannelRow>({
  name: 'channel',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    type: { type: 'text' },
    baseUrl: { name: 'base_url', type: 'text', nullable: true },
    models: { type: 'jsonb' },
    settings: { type: 'jsonb' },
    priority: { type: 'integer' },
    weight: { type: 'integer' },
    timeouts: { type: 'jsonb' },
    onAbort: { name: 'on_abort', type: 'text', nullable: true },
    promptCaching: { name: 'prompt_caching', type: 'text' },
    batches: { type: 'text' },
    limits: { type: 'jsonb' },
    probeMs: { name: 'probe_ms', type: 'integer', nullable: true },
    enabled: { type: 'boolean' },
    disabledKeys: { name: 'disabled_keys', type: 'text', array: true },
    createdAt: createdAtColumn(),
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
  },
  relations: {
    credentials: { type: 'one-to-many', target: 'channel_credential', inverseSide: 'channel' },
    legacySecret: { type: 'one-to-one', target: 'channel_secret', inverseSide: 'channel' },
  },
});

/** One part of a channel's credentials, encrypted: its API keys, or one secret setting. */
export interface ChannelCredentialRow {
  channelId: string;
  part: string;
  sealed: string;
  fingerprint: string;
  /** Of API keys: the end of each, to recognise it by. */
  hints: string[];
  /** There is no such part, whatever the legacy secret says. */
  removed: boolean;
  channel?: ChannelRow;
}

export const ChannelCredentialEntity = new EntitySchema<ChannelCredentialRow>({
  name: 'channel_credential',
  columns: {
    channelId: { name: 'channel_id', type: 'uuid', primary: true },
    part: { type: 'text', primary: true },
    sealed: { type: 'text' },
    fingerprint: { type: 'text' },
    hints: { type: 'text', array: true },
    removed: { type: 'boolean' },
  },
  relations: {
    channel: {
      type: 'many-to-one',
      target: 'channel',
      inverseSide: 'credentials',
      joinColumn: { name: 'channel_id' },
      nullable: false,
    },
  },
});

/** A channel's credentials in the format of earlier versions: all of them in one encrypted text. */
export interface ChannelSecretRow {
  channelId: string;
  sealedKeys: string;
  hints: string[];
  channel?: ChannelRow;
}

export const ChannelSecretEntity = new EntitySchema<ChannelSecretRow>({
  name: 'channel_secret',
  columns: {
    channelId: { name: 'channel_id', type: 'uuid', primary: true },
    sealedKeys: { name: 'sealed_keys', type: 'text' },
    hints: { type: 'text', array: true },
  },
  relations: {
    channel: {
      type: 'one-to-one',
      target: 'channel',
      inverseSide: 'legacySecret',
      joinColumn: { name: 'channel_id' },
      nullable: false,
    },
  },
});
