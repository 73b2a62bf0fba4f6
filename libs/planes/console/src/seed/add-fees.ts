import {
  divideUp,
  formatUsd,
  NANO_PER_USD,
  omitUndefined,
  parseUsd,
  PRICE_KEYS,
  type PriceSheet,
  type Rates,
  TOOL_FEES,
  type UnitPrices,
} from '@mg/contract';
import type { PublishedFees } from '@mg/providers';

/** A price with what the provider publishes beside it. What the price says itself is kept, but for the fees of tools. */
export function addFees(price: PriceSheet, fees: PublishedFees | undefined): PriceSheet {
  if (fees === undefined) return price;
  const tiers = Object.entries(fees.tiers ?? {}).map(([name, tier]): [string, Rates<string>] => [
    name,
    typeof tier === 'string' ? multiplyRates(price, parseUsd(tier)) : tier,
  ]);
  return {
    ...price,
    ...fees.tools,
    ...omitUndefined({
      tiers: tiers.length === 0 ? undefined : { ...Object.fromEntries(tiers), ...price.tiers },
      batch_share: fees.batchShare,
    }),
  };
}

/** Rates times a factor in billionths, rounded up to the nano-dollar. The fees of tools are the same in every tier. */
function multiplyRates(price: Rates<string>, factor: bigint): Rates<string> {
  const { long_context: long } = price;
  return {
    ...multiplyUnits(price, factor),
    ...omitUndefined({
      long_context: long ? { above_tokens: long.above_tokens, ...multiplyUnits(long, factor) } : undefined,
    }),
  };
}

function multiplyUnits(rates: UnitPrices<string>, factor: bigint): UnitPrices<string> {
  return Object.fromEntries(
    PRICE_KEYS.flatMap((key) => {
      const rate = rates[key];
      if (rate === undefined || TOOL_FEES.some((fee) => fee === key)) return [];
      return [[key, formatUsd(divideUp(parseUsd(rate) * factor, NANO_PER_USD))]];
    }),
  );
}
