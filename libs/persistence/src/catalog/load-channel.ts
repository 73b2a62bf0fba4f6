import {
  type Channel,
  type ChannelTimeouts,
  DEFAULT_TIMEOUTS,
  MAX_TIMEOUT_MS,
  nextSequence,
  scopeLimits,
} from '@mg/contract';
import type { DataSource, FindOptionsRelations } from 'typeorm';
import { ChannelEntity, type ChannelRow } from '../entities/channel.js';
import { openCredentials } from '../secrets/channel-credentials.js';
import type { SecretKey } from '../secrets/seal-secret.js';

/** What a channel is read with, in one statement: its credentials in both formats. */
export const CHANNEL_RELATIONS = {
  credentials: true,
  legacySecret: true,
} as const satisfies FindOptionsRelations<ChannelRow>;

/**
 * Reads a channel by its id, enabled or not: what it has begun is brought to its end.
 *
 * @throws SecretError when its secrets cannot be opened.
 */
export async function loadChannel(
  database: DataSource,
  key: SecretKey,
  id: string,
): Promise<Channel | undefined> {
  const sequence = nextSequence();
  const [row] = await database
    .getRepository(ChannelEntity)
    .find({ where: { id }, relations: CHANNEL_RELATIONS });
  return row && toChannel(row, key, sequence);
}

/**
 * A row that was read with `CHANNEL_RELATIONS`, decrypted.
 *
 * @param sequence of the read, for its limits.
 * @throws SecretError when its secrets cannot be opened.
 */
export function toChannel(row: ChannelRow, key: SecretKey, sequence: number): Channel {
  const secrets = openCredentials(row.legacySecret?.sealedKeys ?? null, row.credentials ?? [], row.id, key);
  const isDisabled = (place: number) => row.disabledKeys.includes(secrets.keyRefs[place] ?? '');
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    baseUrl: row.baseUrl ?? undefined,
    apiKeys: secrets.apiKeys.filter((_, place) => !isDisabled(place)),
    disabledKeys: secrets.apiKeys.filter((_, place) => isDisabled(place)),
    models: new Map(Object.entries(row.models)),
    settings: { ...row.settings, ...secrets.settings },
    priority: row.priority,
    weight: row.weight,
    timeouts: readTimeouts(row.timeouts),
    onAbort: row.onAbort ?? undefined,
    promptCaching: row.promptCaching,
    batches: row.batches,
    limits: scopeLimits('channel', row.id, row.limits, sequence),
    probeMs: row.probeMs ?? undefined,
  };
}

/** Rows may be older than the limit on what is set. */
function readTimeouts({
  connect_ms,
  first_byte_ms,
  idle_ms,
  total_ms,
}: ChannelRow['timeouts']): ChannelTimeouts {
  const limit = (ms: number | undefined, otherwise: number) => Math.min(ms ?? otherwise, MAX_TIMEOUT_MS);
  return {
    connectMs: limit(connect_ms, DEFAULT_TIMEOUTS.connectMs),
    firstByteMs: limit(first_byte_ms, DEFAULT_TIMEOUTS.firstByteMs),
    idleMs: limit(idle_ms, DEFAULT_TIMEOUTS.idleMs),
    totalMs: limit(total_ms, DEFAULT_TIMEOUTS.totalMs),
  };
}
