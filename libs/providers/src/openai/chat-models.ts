import type { ModelCard, PublishedFees } from '../descriptor.js';

/** Every chat can be asked for in batches, at half the price; `flex` too is half the price, for calls that may wait. */
const SHARED = {
  page: 'https://developers.openai.com/api/docs/pricing',
  seenOn: '2026-11-22',
  batchShare: '0.5',
} as const;
/** Twenty minutes of a container of 1 GB: less is cheaper, but it is not reported. What searches cost is in the price data. */
const TOOLS = { per_code_session: '0.03' } as const;
/** These search by a more expensive tool too, `web_search_preview`: its fee, as both are counted alike. */
const PREMIUM_SEARCH = { ...TOOLS, per_web_search: '0.025' } as const;

const WITH_FLEX: PublishedFees = { ...SHARED, tools: TOOLS, tiers: { flex: '0.5' } };
const WITH_PRIORITY: PublishedFees = { ...SHARED, tools: TOOLS, tiers: { flex: '0.5', priority: '2' } };

/**
 * Models that chat, with what OpenAI publishes beside the rates of their tokens.
 *
 * @see https://openai.com/api-priority-processing/
 */
export const chatModels: readonly ModelCard[] = [
  {
    slug: 'gpt-6.1-sol',
    kind: 'chat',
    maxOutputTokens: 128_000,
    contextWindow: 1_050_000,
    price: {
      input_per_million: '2',
      cached_input_per_million: '0.1',
      cache_write_per_million: '2.5',
      output_per_million: '10',
      per_web_search: '0.01',
      per_file_search: '0.0025',
      long_context: {
        above_tokens: 272_000,
        input_per_million: '4',
        cached_input_per_million: '0.2',
        cache_write_per_million: '5',
        output_per_million: '15',
      },
    },
    fees: WITH_PRIORITY,
  },
  { slug: 'gpt-6-luna', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_PRIORITY },
  { slug: 'gpt-5.4-mini', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_PRIORITY },
  { slug: 'gpt-5.4-nano', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_FLEX },
  { slug: 'gpt-5', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_PRIORITY },
  {
    slug: 'gpt-5-mini',
    kind: 'chat',
    maxOutputTokens: 128_000,
    fees: { ...SHARED, tools: TOOLS, tiers: { flex: '0.5', priority: '1.8' } },
  },
  { slug: 'gpt-5-nano', kind: 'chat', maxOutputTokens: 128_000, fees: WITH_FLEX },
  {
    slug: 'gpt-4.1',
    kind: 'chat',
    maxOutputTokens: 32_768,
    contextWindow: 1_047_576,
    fees: { ...SHARED, tools: PREMIUM_SEARCH, tiers: { priority: '1.75' } },
  },
  {
    slug: 'gpt-4.1-mini',
    kind: 'chat',
    maxOutputTokens: 32_768,
    contextWindow: 1_047_576,
    fees: { ...SHARED, tools: PREMIUM_SEARCH, tiers: { priority: '1.75' } },
  },
  {
    slug: 'gpt-4.1-nano',
    kind: 'chat',
    maxOutputTokens: 32_768,
    contextWindow: 1_047_576,
    fees: { ...SHARED, tools: TOOLS, tiers: { priority: '2' } },
  },
  {
    slug: 'gpt-4o',
    kind: 'chat',
    maxOutputTokens: 16_384,
    fees: { ...SHARED, tools: PREMIUM_SEARCH, tiers: { priority: '1.7' } },
  },
  {
    slug: 'gpt-4o-mini',
    kind: 'chat',
    maxOutputTokens: 16_384,
    fees: {
      ...SHARED,
      tools: PREMIUM_SEARCH,
      tiers: {
        priority: {
          input_per_million: '0.25',
          cached_input_per_million: '0.125',
          output_per_million: '1',
        },
      },
    },
  },
  {
    slug: 'o3',
    kind: 'chat',
    maxOutputTokens: 100_000,
    fees: { ...SHARED, tools: TOOLS, tiers: { flex: '0.5', priority: '1.75' } },
  },
  {
    slug: 'o4-mini',
    kind: 'chat',
    maxOutputTokens: 100_000,
    fees: {
      ...SHARED,
      tools: TOOLS,
      tiers: {
        flex: '0.5',
        priority: { input_per_million: '2', cached_input_per_million: '0.5', output_per_million: '8' },
      },
    },
  },
];
