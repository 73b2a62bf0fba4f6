import { defineLookAlike } from '../look-alike.js';

/**
 * OpenRouter: many providers' models under `provider/model`.
 *
 * @see https://openrouter.ai/docs/api-reference/overview
 */
export const openrouter = defineLookAlike({
  id: 'openrouter',
  title: 'OpenRouter',
  exchanges: ['embeddings'],
  defaultBaseUrl: 'https://openrouter.ai/api/v1',
  versionPath: '/api/v1',
  environmentKey: 'OPENROUTER_API_KEY',
  priceSource: 'openrouter',
  traits: { reasoningField: 'reasoning', acceptsReasoningHistory: true },
  models: [
    { slug: 'anthropic/claude-sonnet-5', kind: 'chat', maxOutputTokens: 128_000 },
    { slug: 'openai/gpt-5-mini', kind: 'chat', maxOutputTokens: 128_000 },
    { slug: 'z-ai/glm-5.2', kind: 'chat', maxOutputTokens: 131_072 },
  ],
});
