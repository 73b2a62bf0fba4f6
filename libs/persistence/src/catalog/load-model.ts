import { type Model, nextSequence, parsePrice, type PinnedPrice, scopeLimits } from '@mg/contract';
import type { DataSource, FindOptionsOrder } from 'typeorm';
import { ModelEntity, type ModelRow, PriceVersionEntity, type PriceVersionRow } from '../entities/model.js';

/** What a model's price is read from. */
export type PriceRow = Pick<PriceVersionRow, 'id' | 'price' | 'effectiveFrom'>;

/** The order in which a model has its prices. */
const NEWEST_PRICE_FIRST = {
  effectiveFrom: 'DESC',
  id: 'DESC',
} as const satisfies FindOptionsOrder<PriceVersionRow>;

/** Reads a model by its slug, active or not: what was begun with it is brought to its end. */
export async function loadModel(database: DataSource, slug: string): Promise<Model | undefined> {
  const sequence = nextSequence();
  const [row] = await database.getRepository(ModelEntity).find({ where: { slug } });
  if (!row) return undefined;
  const prices = database.getRepository(PriceVersionEntity);
  const priceRows = await prices.find({ where: { modelSlug: slug }, order: NEWEST_PRICE_FIRST });
  return toModel(row, priceRows, sequence);
}

/**
 * @param priceRows of the model, in their order.
 * @param sequence of the read, for its limits.
 */
export function toModel(row: ModelRow, priceRows: readonly PriceRow[], sequence: number): Model {
  const prices = priceRows.map((price): PinnedPrice => ({
    versionId: price.id,
    effectiveFrom: price.effectiveFrom.getTime(),
    price: parsePrice(price.price),
  }));
  return {
    slug: row.slug,
    kind: row.kind,
    createdAt: row.createdAt.getTime(),
    maxOutputTokens: row.maxOutputTokens ?? undefined,
    contextWindow: row.contextWindow ?? undefined,
    fallback: row.fallback.length === 0 ? undefined : row.fallback,
    fallbackOn: row.fallbackOn,
    routing: row.routing === 'priority' ? undefined : row.routing,
    sticky: row.sticky || undefined,
    firstTokenMs: row.firstTokenTimeoutMs ?? undefined,
    hedge: row.hedge || undefined,
    limits: scopeLimits('model', row.slug, row.limits, sequence),
    aliases: row.aliases.length === 0 ? undefined : row.aliases,
    prices,
  };
}
