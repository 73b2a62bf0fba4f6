import { type NanoUsd, parseUsd } from '@mg/contract';
import type { UpstreamCall } from '@mg/testkit';
import { CACHE_WRITE_1H_PRICE, CACHE_WRITE_PRICE, TOKEN_PRICE } from './deployment/configuration.js';

/** What a call must cost by the upstream's own meter: each line rounded up, in nano-dollars. */
export function expectedCost(
  call: Pick<
    UpstreamCall,
    'promptTokens' | 'cachedTokens' | 'cacheWriteTokens' | 'cacheWrite1hTokens' | 'completionTokens'
  >,
  price: { readonly [Key in keyof typeof TOKEN_PRICE]: string } = TOKEN_PRICE,
): NanoUsd {
  return (
    lineOf(call.promptTokens - call.cachedTokens - call.cacheWriteTokens, price.input_per_million) +
    lineOf(call.cacheWriteTokens - call.cacheWrite1hTokens, CACHE_WRITE_PRICE) +
    lineOf(call.cacheWrite1hTokens, CACHE_WRITE_1H_PRICE) +
    lineOf(call.cachedTokens, price.cached_input_per_million) +
    lineOf(call.completionTokens, price.output_per_million)
  );
}

/** What so many tokens cost, rounded up. */
export function lineOf(tokens: number, perMillion: string): NanoUsd {
  const exact = BigInt(tokens) * parseUsd(perMillion);
  const whole = exact / 1_000_000n;
  return whole * 1_000_000n === exact ? whole : whole + 1n;
}
