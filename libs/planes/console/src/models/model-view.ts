import { parsePrice } from '@mg/contract';
import type { ModelRow, PriceVersionRow } from '@mg/persistence/console';
import { isPriced } from '@mg/pricing';
import type { z } from 'zod';
import { writeDuration } from '../channels/channel-timeouts.js';
import type { modelSchema, modelWithPricesSchema } from './model-schemas.js';

export type ModelView = z.output<typeof modelSchema>;
export type ModelWithPricesView = z.output<typeof modelWithPricesSchema>;

/** A model with the price in force. */
export function toModelView(model: ModelRow, price: PriceVersionRow | undefined): ModelView {
  return {
    slug: model.slug,
    kind: model.kind,
    state: model.state,
    max_output_tokens: model.maxOutputTokens,
    context_window: model.contextWindow,
    fallback: model.fallback,
    fallback_on: model.fallbackOn,
    routing: model.routing,
    sticky: model.sticky,
    hedge: model.hedge,
    first_token_timeout: writeDuration(model.firstTokenTimeoutMs ?? undefined) ?? null,
    limits: model.limits,
    aliases: model.aliases,
    priced: price !== undefined && isPriced(model.kind, parsePrice(price.price)),
    price: price?.price ?? null,
    price_version: price?.id ?? null,
    price_source: price?.source ?? null,
    effective_from: price?.effectiveFrom.toISOString() ?? null,
    created_at: model.createdAt.toISOString(),
    updated_at: model.updatedAt.toISOString(),
  };
}

/** A model with every price it had, has and will have. */
export function toModelWithPricesView(
  model: ModelRow,
  price: PriceVersionRow | undefined,
  prices: readonly PriceVersionRow[],
): ModelWithPricesView {
  return {
    ...toModelView(model, price),
    prices: prices.map((version) => ({
      id: version.id,
      price: version.price,
      source: version.source,
      effective_from: version.effectiveFrom.toISOString(),
    })),
  };
}
