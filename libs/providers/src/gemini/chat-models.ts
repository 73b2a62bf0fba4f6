import type { ModelCard, PublishedFees } from '../descriptor.js';

/** `flex` and batches at half the price; `priority` at the upper end of "75 to 100 % more". */
const TIERS = {
  page: 'https://ai.google.dev/gemini-api/docs/pricing',
  seenOn: '2026-11-22',
  batchShare: '0.5',
  tiers: { flex: '0.5', priority: '2' },
} as const;
/** A search of the web that the model makes; what is free of charge each month is not counted. */
const BY_SEARCH: PublishedFees = { ...TIERS, tools: { per_web_search: '0.014' } };
/** A prompt that was grounded, however many searches that took. */
const BY_PROMPT: PublishedFees = { ...TIERS, tools: { per_web_search: '0.035' } };

const LIMITS = { maxOutputTokens: 65_536, contextWindow: 1_048_576 } as const;

/**
 * Models that chat, with what Google publishes beside the rates of their tokens. Code runs for the price of its tokens.
 *
 * @see https://ai.google.dev/gemini-api/docs/optimization
 */
export const chatModels: readonly ModelCard[] = [
  { slug: 'gemini-3.8-flash', kind: 'chat', ...LIMITS, fees: BY_SEARCH },
  { slug: 'gemini-3.5-flash', kind: 'chat', ...LIMITS, fees: BY_SEARCH },
  { slug: 'gemini-3.5-flash-lite', kind: 'chat', ...LIMITS, fees: BY_SEARCH },
  { slug: 'gemini-3.1-pro-preview', kind: 'chat', ...LIMITS, fees: BY_SEARCH },
  { slug: 'gemini-2.5-pro', kind: 'chat', ...LIMITS, fees: BY_PROMPT },
  {
    slug: 'gemini-2.5-flash',
    kind: 'chat',
    ...LIMITS,
    price: {
      input_per_million: '0.3',
      audio_input_per_million: '1',
      cached_input_per_million: '0.03',
      output_per_million: '2.5',
    },
    fees: BY_PROMPT,
  },
];
