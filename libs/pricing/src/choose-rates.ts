import {
  BATCH_TIER,
  divideUp,
  NANO_PER_USD,
  type NanoUsd,
  PRICE_KEYS,
  type Price,
  type PriceKey,
  type Rates,
  TOOL_FEES,
  type UnitPrices,
} from '@mg/contract';

/** What decides which of a price's rates hold for a call. */
export interface RateChoice {
  readonly variant?: string | undefined;
  readonly tier?: string | undefined;
  /** Tokens of the prompt, cached ones included. */
  readonly promptTokens: number;
  /** Whether the answer comes out of the gateway's cache. */
  readonly fromCache?: boolean | undefined;
}

/**
 * The rates of one call, each the most precise that the price has: those of the model, replaced by those for long prompts,
 * of the variant, and of the service tier, in this order. The tier `batch` begins with its share of the model's rates.
 * A tier's rates hold for prompts of any length unless it has some for long ones itself. An answer out of the gateway's cache
 * costs a share of them all, tools included; nothing where the price names none.
 */
export function chooseRates(price: Price, choice: RateChoice): UnitPrices<NanoUsd> {
  const rates = chooseFullRates(price, choice);
  return choice.fromCache ? multiply(rates, price.cacheShare ?? 0n) : rates;
}

function chooseFullRates(price: Price, choice: RateChoice): UnitPrices<NanoUsd> {
  const { variant, tier, promptTokens } = choice;
  const ofVariant = variant === undefined ? undefined : price.variants?.get(variant);
  const ofLength = atLength(price, promptTokens);
  const ofModel = ofVariant ? { ...ofLength, ...ofVariant } : ofLength;
  if (tier === undefined) return ofModel;
  const ofTier = price.tiers?.get(tier);
  const shared = shareOf(ofModel, price, tier);
  return ofTier ? { ...shared, ...atLength(ofTier, promptTokens) } : shared;
}

/** Whether a price has a fee for a meter, a fee of zero included. A service tier that has none pays the model's. */
export function coversMeter(price: Price, meter: PriceKey): boolean {
  return price[meter] !== undefined;
}

/** Whether a price says what a service tier costs; `undefined` is the tier of the model's own rates. */
export function coversTier(price: Price, tier: string | undefined): boolean {
  if (tier === undefined || price.tiers?.has(tier)) return true;
  return tier === BATCH_TIER && price.batchShare !== undefined;
}

function atLength(rates: Rates<NanoUsd>, promptTokens: number): UnitPrices<NanoUsd> {
  const long = rates.long_context;
  return long && promptTokens > long.above_tokens ? { ...rates, ...long } : rates;
}

/** Rounded up to the nano-dollar a unit. What the provider asks for the use of a tool is the same in every tier. */
function shareOf(rates: UnitPrices<NanoUsd>, price: Price, tier: string): UnitPrices<NanoUsd> {
  const { batchShare } = price;
  if (tier !== BATCH_TIER || batchShare === undefined) return rates;
  return { ...multiply(rates, batchShare), ...pickToolFees(rates) };
}

/** A share of all rates, in billionths, each rounded up to the nano-dollar a unit. */
function multiply(rates: UnitPrices<NanoUsd>, share: bigint): UnitPrices<NanoUsd> {
  const multiplied: UnitPrices<NanoUsd> = {};
  for (const key of PRICE_KEYS) {
    const rate = rates[key];
    if (rate !== undefined) multiplied[key] = divideUp(rate * share, NANO_PER_USD);
  }
  return multiplied;
}

function pickToolFees(rates: UnitPrices<NanoUsd>): UnitPrices<NanoUsd> {
  return Object.fromEntries(
    TOOL_FEES.flatMap((fee) => (rates[fee] === undefined ? [] : [[fee, rates[fee]]])),
  );
}
