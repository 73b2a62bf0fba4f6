import type { TraitsOf } from '@mg/protocols';
import { defineLookAlike } from '../look-alike.js';
import { seedreamModels, seedreamSurfaces } from './seedream.js';

const SEED = /^doubao-seed/;

/**
 * Volcengine Ark (Doubao). `max_tokens` does not count reasoning there, so models that think get the field that does.
 *
 * Ark asks for yuan by the length of the prompt; the prices are those in dollars of the same models outside China.
 *
 * @see https://www.volcengine.com/docs/82379/1494384
 */
export const volcengine = defineLookAlike({
  id: 'volcengine',
  title: 'Volcengine Ark (Doubao)',
  defaultBaseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
  versionPath: '/api/v3',
  environmentKey: 'ARK_API_KEY',
  exchanges: ['embeddings'],
  otherExchanges: seedreamSurfaces,
  thinkingSwitch: { field: 'thinking', keepsEffort: true },
  traits: readTraits,
  models: [
    ...seedreamModels,
    {
      slug: 'doubao-seed-2-0-lite-260215',
      kind: 'chat',
      maxOutputTokens: 131_072,
      contextWindow: 256_000,
      price: { input_per_million: '0.25', output_per_million: '2' },
    },
    {
      slug: 'doubao-seed-2-0-mini-260215',
      kind: 'chat',
      maxOutputTokens: 131_072,
      contextWindow: 256_000,
      price: { input_per_million: '0.1', output_per_million: '0.4' },
    },
    {
      slug: 'doubao-seed-1-6-251015',
      kind: 'chat',
      maxOutputTokens: 65_536,
      contextWindow: 256_000,
      price: { input_per_million: '0.25', output_per_million: '2' },
    },
    {
      slug: 'doubao-seed-1-6-flash-250828',
      kind: 'chat',
      maxOutputTokens: 32_768,
      contextWindow: 256_000,
      price: { input_per_million: '0.075', output_per_million: '0.3' },
    },
  ],
});

function readTraits(model: string): TraitsOf<'openai-chat'> {
  const isSeed = SEED.test(model);
  const shared: TraitsOf<'openai-chat'> = {
    reasoningField: 'reasoning_content',
    supportsJsonSchema: isSeed,
    userField: 'none',
    supportsMaxCompletionTokens: false,
  };
  if (!isSeed) return shared;
  return {
    ...shared,
    maxTokensField: 'max_completion_tokens',
    maxTokensExcludesReasoning: true,
    efforts: ['none', 'minimal', 'low', 'medium', 'high'],
  };
}
