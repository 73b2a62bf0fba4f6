import {
  type Catalog,
  type Channel,
  DEFAULT_TIMEOUTS,
  type Model,
  type ModelKind,
  parsePrice,
  type PinnedPrice,
  type PriceSheet,
} from '@mg/contract';
import type { DataSource } from 'typeorm';
import { openCredentials, type SealedCredential } from '../secrets/channel-credentials.js';
import type { SecretKey } from '../secrets/seal-secret.js';

interface ChannelRow {
  id: string;
  name: string;
  type: string;
  base_url: string | null;
  models: Record<string, string>;
  settings: Record<string, unknown>;
  priority: number;
  weight: number;
  timeouts: { connect_ms?: number; first_byte_ms?: number; idle_ms?: number; total_ms?: number };
  sealed_keys: string | null;
  credentials: Pick<SealedCredential, 'part' | 'sealed' | 'removed'>[];
}

interface ModelRow {
  slug: string;
  kind: ModelKind;
  max_output_tokens: number | null;
  context_window: number | null;
  created_at: Date;
}

interface PriceRow {
  id: string;
  model_slug: string;
  price: PriceSheet;
  effective_from: Date;
}

/** Channels whose secrets cannot be opened are left out, so that one bad row never stops a gateway. */
export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly string[];
}

const SELECT_CHANNELS = `
  select c.id, c.name, c.type, c.base_url, c.models, c.settings, c.priority, c.weight, c.timeouts, s.sealed_keys,
         (select coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'sealed', p.sealed, 'removed', p.removed)), '[]')
            from channel_credential p where p.channel_id = c.id) as credentials
    from channel c left join channel_secret s on s.channel_id = c.id`;

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
  const [row] = await database.query<ChannelRow[]>(`${SELECT_CHANNELS} where c.id = $1`, [id]);
  return row && toChannel(row, key);
}

/** Reads everything a gateway routes by as one immutable snapshot. */
export async function loadCatalog(
  database: DataSource,
  key: SecretKey,
  version: number,
): Promise<LoadedCatalog> {
  const problems: string[] = [];
  const { channelRows, modelRows, priceRows } = await database.transaction(
    'REPEATABLE READ',
    async (manager) => ({
      channelRows: await manager.query<ChannelRow[]>(`${SELECT_CHANNELS} where c.enabled order by c.name`),
      modelRows: await manager.query<ModelRow[]>(
        `select slug, kind, max_output_tokens, context_window, created_at from model where state = 'active' order by slug`,
      ),
      priceRows: await manager.query<PriceRow[]>(
        `select id, model_slug, price, effective_from from price_version order by effective_from desc, id desc`,
      ),
    }),
  );

  const channels: Channel[] = [];
  for (const row of channelRows) {
    try {
      channels.push(toChannel(row, key));
    } catch (error) {
      problems.push(
        `channel ${row.name} is left out: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const pricesBySlug = Map.groupBy(priceRows, (row) => row.model_slug);
  const models = modelRows.map((row) => toModel(row, pricesBySlug.get(row.slug) ?? []));
  const catalog: Catalog = {
    version,
    models: new Map(models.map((model) => [model.slug, model])),
    channelsBySlug: groupBySlug(channels),
  };
  return { catalog: Object.freeze(catalog), problems };
}

function toChannel(row: ChannelRow, key: SecretKey): Channel {
  const secrets = openCredentials(row.sealed_keys, row.credentials, row.id, key);
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    baseUrl: row.base_url ?? undefined,
    apiKeys: secrets.apiKeys,
    models: new Map(Object.entries(row.models)),
    settings: { ...row.settings, ...secrets.settings },
    priority: row.priority,
    weight: row.weight,
    timeouts: {
      connectMs: row.timeouts.connect_ms ?? DEFAULT_TIMEOUTS.connectMs,
      firstByteMs: row.timeouts.first_byte_ms ?? DEFAULT_TIMEOUTS.firstByteMs,
      idleMs: row.timeouts.idle_ms ?? DEFAULT_TIMEOUTS.idleMs,
      totalMs: row.timeouts.total_ms ?? DEFAULT_TIMEOUTS.totalMs,
    },
  };
}

function toModel(row: ModelRow, priceRows: readonly PriceRow[]): Model {
  const prices = priceRows.map((price): PinnedPrice => ({
    versionId: price.id,
    effectiveFrom: price.effective_from.getTime(),
    price: parsePrice(price.price),
  }));
  return {
    slug: row.slug,
    kind: row.kind,
    createdAt: row.created_at.getTime(),
    maxOutputTokens: row.max_output_tokens ?? undefined,
    contextWindow: row.context_window ?? undefined,
    prices,
  };
}

function groupBySlug(channels: readonly Channel[]): ReadonlyMap<string, readonly Channel[]> {
  const bySlug = new Map<string, Channel[]>();
  for (const channel of channels) {
    for (const slug of channel.models.keys()) {
      const serving = bySlug.get(slug);
      if (serving) serving.push(channel);
      else bySlug.set(slug, [channel]);
    }
  }
  return bySlug;
}
