import { applyVariant, chooseVariant, type Model } from '@mg/contract';
import { worstCaseOfUsage } from '@mg/pricing';
import type { Exchange } from '@mg/protocols';
import type { CallRecord } from '../../call/call-record.js';
import type { Hold } from '../../call/hold.js';
import type { Bound } from '../../call/operation.js';
import { pinPrice, refuseUnpriced } from '../../call/pin-price.js';

/** Money set aside for a call whose usage has a bound of its own. */
export interface BoundHold extends Hold {
  /** The price variant that the call is billed by, unless its upstream chose and reports another. */
  readonly variant: string | undefined;
}

/** A text that is bounded by its bytes has seldom less than a token for so many. */
const MOST_BYTES_OF_TOKEN = 4;

/**
 * What a call of bounded usage can cost at most: at the highest of the price variants that the upstream may choose.
 *
 * @throws GatewayError `model_not_priced`
 */
export function boundExchange(
  { bound, priceVariants, openVariant }: Pick<Exchange, 'bound' | 'priceVariants' | 'openVariant'>,
  model: Model,
  record: CallRecord,
): Bound<BoundHold> {
  const pinned = pinPrice(record, model);
  const { price } = pinned;
  const costOf = (variant: string | undefined) =>
    worstCaseOfUsage(variant === undefined ? bound : { ...bound, variant }, price);
  const usual = chooseVariant(price, priceVariants);
  const others = [...(price.variants?.keys() ?? [])].filter((name) => openVariant?.mayBe(name));
  const highest = others.reduce((most, name) => (costOf(name) > costOf(most) ? name : most), usual);
  const variant = openVariant?.isAsked ? highest : usual;
  refuseUnpriced(model, applyVariant(price, variant));
  const wanted = costOf(highest);
  const most = bound.inputTokens + bound.outputTokens;
  return {
    price: pinned,
    wanted,
    minimum: wanted,
    tokens: { least: Math.floor(most / MOST_BYTES_OF_TOKEN), most },
    toHold: (hold) => ({ ...hold, variant }),
  };
}
