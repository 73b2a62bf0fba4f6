import type { ModelCard, PublishedFees } from '../descriptor.js';

/** An hour of a container, the most that one call can run for. What searches cost is in the price data. */
const TOOLS = { per_code_session: '0.05' } as const;
/** Before inference could be kept in a country. */
const EARLIER: PublishedFees = {
  page: 'https://platform.claude.com/docs/en/about-claude/pricing',
  seenOn: '2026-11-22',
  batchShare: '0.5',
  tools: TOOLS,
};
/** `us` is inference that stays in the USA. */
const FEES: PublishedFees = { ...EARLIER, tiers: { us: '1.1' } };
const WITH_FAST: PublishedFees = { ...FEES, tiers: { us: '1.1', fast: '2', 'fast+us': '2.2' } };

/**
 * Models with what Anthropic publishes beside the rates of their tokens. The priority tier is sold by contract, at prices
 * that is not published.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/fast-mode
 */
export const MODELS: readonly ModelCard[] = [
  { slug: 'claude-fable-5-1', kind: 'chat', maxOutputTokens: 128_000, fees: FEES },
  { slug: 'claude-opus-5-5', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_FAST },
  { slug: 'claude-sonnet-5-5', kind: 'chat', maxOutputTokens: 128_000, fees: FEES },
  {
    slug: 'claude-haiku-5-5',
    kind: 'chat',
    maxOutputTokens: 128_000,
    contextWindow: 1_000_000,
    price: {
      input_per_million: '0.1',
      cached_input_per_million: '0.01',
      cache_write_per_million: '0.125',
      cache_write_1h_per_million: '0.2',
      output_per_million: '0.5',
      per_web_search: '0.01',
      long_context: {
        above_tokens: 100_000,
        input_per_million: '0.5',
        cached_input_per_million: '0.05',
        cache_write_per_million: '0.625',
        cache_write_1h_per_million: '1',
        output_per_million: '2.5',
      },
    },
    fees: FEES,
  },
  { slug: 'claude-opus-5', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_FAST },
  { slug: 'claude-sonnet-5', kind: 'chat', maxOutputTokens: 128_000, fees: FEES },
  { slug: 'claude-opus-4-8', kind: 'chat', maxOutputTokens: 128_000, fees: FEES },
  { slug: 'claude-sonnet-4-6', kind: 'chat', maxOutputTokens: 64_000, fees: FEES },
  { slug: 'claude-haiku-4-5', kind: 'chat', maxOutputTokens: 64_000, fees: EARLIER },
];
