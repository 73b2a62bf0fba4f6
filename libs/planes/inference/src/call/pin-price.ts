import { GatewayError, type Model, type PinnedPrice, type Price, priceAt } from '@mg/contract';
import { isPriced } from '@mg/pricing';
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
  if (!isPriced(model.kind, price)) throw refusePrice(model);
}

function refusePrice(model: Model): GatewayError {
  const what = model.kind === 'video' ? 'this video' : 'this call';
  return new GatewayError(
    'model_not_priced',
    `The model "${model.slug}" has no price for ${what}, so it cannot be used.`,
    { param: 'model' },
  );
}
