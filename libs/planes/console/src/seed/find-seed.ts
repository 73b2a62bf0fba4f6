import type { PriceSheet } from '@mg/contract';
import type { ModelCard, ProviderDescriptor } from '@mg/providers';
import { addFees } from './add-fees.js';
import { findDataPrice, PRICE_DATA_SOURCE } from './price-from-data.js';

/** `source` of price versions that come from a model card, followed by the provider's id. */
export const CARD_SOURCE = 'model card: ';

interface Limits {
  readonly contextWindow: number | undefined;
}

/** What a well-known model begins with, or why it begins without a price. */
export type ModelSeed = Limits &
  ({ readonly price: PriceSheet; readonly source: string } | { readonly refused: string });

/** The price of a card, else that of the price data, with the fees that the provider publishes beside it. */
export function findSeed(provider: ProviderDescriptor, card: ModelCard): ModelSeed {
  if (card.price) {
    const price = addFees(card.price, card.fees);
    const source = `${CARD_SOURCE}${provider.id}${describeFees(card)}`;
    return { price, source, contextWindow: card.contextWindow };
  }
  if (provider.priceSource === undefined) {
    return { refused: 'its provider is not in the price data', contextWindow: card.contextWindow };
  }
  const found = findDataPrice(provider.priceSource, card.slug, new Date());
  if ('refused' in found) return { ...found, contextWindow: card.contextWindow };
  // What takes many texts at once has a limit for each, which does not bound their sum.
  const ofData = card.kind === 'chat' ? found.contextWindow : undefined;
  const price = addFees(found.price, card.fees);
  const source = `${PRICE_DATA_SOURCE}${describeFees(card)}`;
  return { price, source, contextWindow: card.contextWindow ?? ofData };
}

/** Where fees beside the price come from, as a part of the price version's source. */
function describeFees({ fees }: ModelCard): string {
  return fees ? `; fees: ${fees.page} (${fees.seenOn})` : '';
}
