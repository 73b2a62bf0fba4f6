import { z } from 'zod';
import { defineProvider } from '../descriptor.js';

/**
 * OpenAI itself.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openai = defineProvider({
  id: 'openai',
  title: 'OpenAI',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api.openai.com/v1',
  versionPath: '/v1',
  environmentKey: 'OPENAI_API_KEY',
  priceSource: 'openai',
  surfaces: [
    {
      operation: 'chat',
      protocol: 'openai-chat',
      path: () => '/chat/completions',
      authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
      traits: () => ({ maxTokensField: 'max_completion_tokens', developerRole: true }),
    },
  ],
  models: [
    { slug: 'gpt-5', kind: 'chat', maxOutputTokens: 128_000 },
    { slug: 'gpt-5-mini', kind: 'chat', maxOutputTokens: 128_000 },
    { slug: 'gpt-5-nano', kind: 'chat', maxOutputTokens: 128_000 },
    { slug: 'gpt-4.1', kind: 'chat', maxOutputTokens: 32_768 },
    { slug: 'gpt-4.1-mini', kind: 'chat', maxOutputTokens: 32_768 },
    { slug: 'gpt-4.1-nano', kind: 'chat', maxOutputTokens: 32_768 },
    { slug: 'gpt-4o', kind: 'chat', maxOutputTokens: 16_384 },
    { slug: 'gpt-4o-mini', kind: 'chat', maxOutputTokens: 16_384 },
    { slug: 'o3', kind: 'chat', maxOutputTokens: 100_000 },
    { slug: 'o4-mini', kind: 'chat', maxOutputTokens: 100_000 },
  ],
});
