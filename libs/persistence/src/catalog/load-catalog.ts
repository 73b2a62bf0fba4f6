import { type Catalog, type Channel, nextSequence } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import { ChannelEntity, type ChannelRow } from '../entities/channel.js';
import { ModelEntity, type ModelRow, PriceVersionEntity, type PriceVersionRow } from '../entities/model.js';
import type { SecretKey } from '../secrets/seal-secret.js';
import { CHANNEL_RELATIONS, toChannel } from './load-channel.js';
import { NEWEST_PRICE_FIRST, toModel } from './load-model.js';

/** Channels whose secrets cannot be opened are left out, so that one bad row never stops a gateway. */
export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly string[];
}

/** Reads everything a gateway routes by as one immutable snapshot. */
export async function loadCatalog(
  database: DataSource,
  key: SecretKey,
  version: number,
): Promise<LoadedCatalog> {
  const sequence = nextSequence();
  const rows = await database.transaction('REPEATABLE READ', readRows);
  const problems: string[] = [];
  const channels: Channel[] = [];
  for (const row of rows.channels) {
    try {
      const channel = toChannel(row, key, sequence);
      if (!hasNoKeyLeft(channel)) channels.push(channel);
    } catch (error) {
      problems.push(
        `channel ${row.name} is left out: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const pricesBySlug = Map.groupBy(rows.prices, (row) => row.modelSlug);
  const models = rows.models.map((row) => toModel(row, pricesBySlug.get(row.slug) ?? [], sequence));
  const catalog: Catalog = {
    version,
    models: new Map(models.map((model) => [model.slug, model])),
    channelsBySlug: groupBySlug(channels),
  };
  return { catalog: Object.freeze(catalog), problems };
}

/** Whether a channel has keys and all of them are disabled: it would be asked without one. */
function hasNoKeyLeft({ apiKeys, disabledKeys = [] }: Channel): boolean {
  return apiKeys.length === 0 && disabledKeys.length > 0;
}

interface CatalogRows {
  readonly channels: readonly ChannelRow[];
  readonly models: readonly ModelRow[];
  readonly prices: readonly PriceVersionRow[];
}

async function readRows(manager: EntityManager): Promise<CatalogRows> {
  return {
    channels: await manager.getRepository(ChannelEntity).find({
      where: { enabled: true },
      relations: CHANNEL_RELATIONS,
      order: { name: 'ASC' },
    }),
    models: await manager
      .getRepository(ModelEntity)
      .find({ where: { state: 'active' }, order: { slug: 'ASC' } }),
    prices: await manager.getRepository(PriceVersionEntity).find({ order: NEWEST_PRICE_FIRST }),
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
