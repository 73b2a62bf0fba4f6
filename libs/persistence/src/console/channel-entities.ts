import { EntitySchema } from 'typeorm';
import { createdAtColumn } from './column-types.js';

/** A channel's own time limits in milliseconds; what is absent has the default. */
export interface StoredTimeouts {
  connect_ms?: number;
  first_byte_ms?: number;
  idle_ms?: number;
  total_ms?: number;
}

/** One way to an upstream, without its credentials. */
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
  enabled: boolean;
  createdAt: Date;
  updatedAt: Date;
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
    enabled: { type: 'boolean' },
    createdAt: createdAtColumn(),
    updatedAt: { name: 'updated_at', type: 'timestamptz' },
  },
});
