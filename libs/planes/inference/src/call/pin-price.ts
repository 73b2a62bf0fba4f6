import { GatewayError, type Model, type PinnedPrice, type Price, type PriceKey, priceAt } from '@mg/contract';
import { isPriced, listMissingPrices } from '@mg/pricing';
import type { CallRecord } from './call-record.js';

/** The price in force now: it holds for the call from here to its end. @throws GatewayError `model_not_priced` */
export function pinPrice(record: CallRecord, model: Model): PinnedPrice {
  const pinned = priceAt(model, Date.now());
  if (!pinned) throw refusePrice(model);
  record.priceVersionId = pinned.versionId;
  return pinned;
}

/** @throws GatewayError `model_not_priced` for a price that does not cover what calls of the model use. */
export function refuseUnpriced(model: Model, price: Price): void {
  if (!isPriced(model.kind, price)) throw refusePrice(model, listMissingPrices(model.kind, price));
}

function refusePrice(model: Model, missing: readonly PriceKey[] = []): GatewayError {
  const what = model.kind === 'video' ? 'this video' : 'this call';
  const lacks = missing.length === 0 ? '' : `: its price lacks ${missing.join(', ')}`;
  return new GatewayError(
    'model_not_priced',
    `The model "${model.slug}" has no price for ${what}, so it cannot be used${lacks}.`,
    { param: 'model' },
  );
}
