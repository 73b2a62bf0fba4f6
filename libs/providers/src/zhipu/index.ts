import { defineLookAlike } from '../look-alike.js';

/**
 * Zhipu (GLM), at its mainland address; keys of z.ai want `https://api.z.ai/api/paas/v4`.
 *
 * @see https://docs.bigmodel.cn/api-reference
 */
export const zhipu = defineLookAlike({
  id: 'zhipu',
  title: 'Zhipu (GLM)',
  exchanges: ['embeddings'],
  maxEmbeddingInputs: 64,
  defaultBaseUrl: 'https://open.bigmodel.cn/api/paas/v4',
  versionPath: '/api/paas/v4',
  environmentKey: 'ZHIPUAI_API_KEY',
  priceSource: 'zhipuai',
  thinkingSwitch: { field: 'thinking', keepsEffort: false },
  traits: {
    reasoningField: 'reasoning_content',
    supportsJsonSchema: false,
    userField: 'none',
    supportsMaxCompletionTokens: false,
  },
  models: [
    { slug: 'glm-5.3', kind: 'chat', maxOutputTokens: 131_072 },
    { slug: 'glm-5.3-flash', kind: 'chat', maxOutputTokens: 131_072 },
  ],
});
