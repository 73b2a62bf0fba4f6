import type { ModelCard } from '../descriptor.js';

/**
 * Anthropic's list prices. Writing to the cache is priced as for five minutes; the price data has more meters than our
 * sheet, so they stand here. Claude Haiku 5.5 is not among them: it costs five times as much beyond 100 000 tokens,
 * which no sheet says.
 */
export const MODELS: readonly ModelCard[] = [
  card('claude-fable-5-1', 128_000, ['10', '0.25', '12.5', '50']),
  card('claude-opus-5-5', 128_000, ['4', '0.2', '5', '20']),
  card('claude-sonnet-5-5', 128_000, ['2', '0.2', '2.5', '10']),
  card('claude-opus-5', 128_000, ['5', '0.5', '6.25', '25']),
  card('claude-sonnet-5', 128_000, ['2', '0.2', '2.5', '10']),
  card('claude-opus-4-8', 128_000, ['5', '0.5', '6.25', '25']),
  card('claude-sonnet-4-6', 64_000, ['3', '0.3', '3.75', '15']),
  card('claude-haiku-4-5', 64_000, ['1', '0.1', '1.25', '5']),
];

/** @param prices USD per million tokens: input, cached, written to the cache, output. */
function card(
  slug: string,
  maxOutputTokens: number,
  prices: readonly [input: string, cached: string, write: string, output: string],
): ModelCard {
  const [input, cached, write, output] = prices;
  return {
    slug,
    kind: 'chat',
    maxOutputTokens,
    price: {
      input_per_million: input,
      cached_input_per_million: cached,
      cache_write_per_million: write,
      output_per_million: output,
    },
  };
}
