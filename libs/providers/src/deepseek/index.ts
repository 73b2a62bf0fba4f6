import { defineLookAlike } from '../look-alike.js';

/**
 * DeepSeek. Its models think unless told not to, and want the reasoning of a loop of calls back.
 *
 * Prices are those of its most expensive hours.
 *
 * @see https://api-docs.deepseek.com/guides/thinking_mode
 */
export const deepseek = defineLookAlike({
  id: 'deepseek',
  title: 'DeepSeek',
  defaultBaseUrl: 'https://api.deepseek.com/v1',
  environmentKey: 'DEEPSEEK_API_KEY',
  priceSource: 'deepseek',
  thinkingSwitch: { field: 'thinking', keepsEffort: true },
  traits: {
    reasoningField: 'reasoning_content',
    acceptsReasoningHistory: true,
    requiresReasoningReplay: true,
    supportsJsonSchema: false,
    userField: 'none',
    supportsMaxCompletionTokens: false,
  },
  models: [
    {
      slug: 'deepseek-v4-flash',
      kind: 'chat',
      maxOutputTokens: 384_000,
      contextWindow: 1_000_000,
      price: { input_per_million: '0.44', cached_input_per_million: '0.014', output_per_million: '1.32' },
    },
    {
      slug: 'deepseek-v4-pro',
      kind: 'chat',
      maxOutputTokens: 384_000,
      contextWindow: 1_000_000,
      price: { input_per_million: '1.32', cached_input_per_million: '0.044', output_per_million: '3.96' },
    },
  ],
});
