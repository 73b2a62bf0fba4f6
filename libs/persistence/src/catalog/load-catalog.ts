import { setImmediate } from 'node:timers/promises';
import { type Catalog, type Channel, type Model, nextSequence } from '@mg/contract';
import { type DataSource, type EntityManager, MoreThan } from 'typeorm';
import { ChannelEntity, type ChannelRow } from '../entities/channel.js';
import { ModelEntity } from '../entities/model.js';
import type { SecretKey } from '../secrets/seal-secret.js';
import { CHANNEL_RELATIONS, toChannel } from './load-channel.js';
import { type PriceRow, toModel } from './load-model.js';

/** Channels whose secrets cannot be opened are left out, so that one bad row never stops a gateway. */
export interface LoadedCatalog {
  readonly catalog: Catalog;
  readonly problems: readonly string[];
}

/** Models that are read together, with their prices: some milliseconds. */
const MODELS_AT_ONCE = 50;
/** How long a price that another one has replaced is known: what goes by it was begun before, such as a provider's batch. */
const REPLACED_PRICE_DAYS = 7;

/** Reads everything a gateway routes by as one immutable snapshot. */
export async function loadCatalog(
  database: DataSource,
  key: SecretKey,
  version: number,
): Promise<LoadedCatalog> {
  const sequence = nextSequence();
  const rows = await database.transaction('REPEATABLE READ', async (manager) => ({
    channels: await readChannels(manager),
    models: await readModels(manager, sequence),
  }));
  const problems: string[] = [];
  const channels: Channel[] = [];
  for (const row of rows.channels) {
    await setImmediate();
    try {
      const channel = toChannel(row, key, sequence);
      if (!hasNoKeyLeft(channel)) channels.push(channel);
    } catch (error) {
      problems.push(
        `channel ${row.name} is left out: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const catalog: Catalog = {
    version,
    models: new Map(rows.models.map((model) => [model.slug, model])),
    channelsBySlug: groupBySlug(channels),
  };
  return { catalog: Object.freeze(catalog), problems };
}

/** Whether a channel has keys and all of them are disabled: it would be asked without one. */
function hasNoKeyLeft({ apiKeys, disabledKeys = [] }: Channel): boolean {
  return apiKeys.length === 0 && disabledKeys.length > 0;
}

function readChannels(manager: EntityManager): Promise<ChannelRow[]> {
  return manager.getRepository(ChannelEntity).find({
    where: { enabled: true },
    relations: CHANNEL_RELATIONS,
    order: { name: 'ASC' },
  });
}

/** In portions, since there may be many, and each has had many prices. */
async function readModels(manager: EntityManager, sequence: number): Promise<Model[]> {
  const models: Model[] = [];
  for (let after = ''; ;) {
    const rows = await manager.getRepository(ModelEntity).find({
      where: { state: 'active', slug: MoreThan(after) },
      order: { slug: 'ASC' },
      take: MODELS_AT_ONCE,
    });
    const slugs = rows.map(({ slug }) => slug);
    const prices = Map.groupBy(await readPrices(manager, slugs), ({ modelSlug }) => modelSlug);
    for (const row of rows) models.push(toModel(row, prices.get(row.slug) ?? [], sequence));
    const last = slugs.at(-1);
    if (last === undefined || rows.length < MODELS_AT_ONCE) return models;
    after = last;
  }
}

/** Those that are in force, were within some days, or will be, the newest first. */
function readPrices(
  manager: EntityManager,
  slugs: readonly string[],
): Promise<(PriceRow & { readonly modelSlug: string })[]> {
  return manager.query(
    `select p.id, p.model_slug as "modelSlug", p.price, p.effective_from as "effectiveFrom"
       from unnest($1::text[]) as m (slug)
       cross join lateral (
         select max(effective_from) as at from price_version
          where model_slug = m.slug and effective_from <= now() - make_interval(days => $2)) as first
       join price_version p on p.model_slug = m.slug and (first.at is null or p.effective_from >= first.at)
      order by p.effective_from desc, p.id desc`,
    [slugs, REPLACED_PRICE_DAYS],
  );
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
