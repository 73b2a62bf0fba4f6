import { defineLookAlike } from '../look-alike.js';

/**
 * Qwen by Alibaba's DashScope, at its international address; keys of the mainland want
 * `https://dashscope.aliyuncs.com/compatible-mode/v1`.
 *
 * @see https://www.alibabacloud.com/help/en/model-studio/compatibility-of-openai-with-dashscope
 * @see https://www.alibabacloud.com/help/en/model-studio/deep-thinking for reasoning, which `max_tokens` does not count
 */
export const qwen = defineLookAlike({
  id: 'qwen',
  title: 'Qwen (DashScope)',
  exchanges: ['embeddings'],
  maxEmbeddingInputs: 10,
  defaultBaseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  versionPath: '/compatible-mode/v1',
  thinkingSwitch: { field: 'enable_thinking', keepsEffort: false },
  traits: {
    reasoningField: 'reasoning_content',
    supportsLaterSystemTurns: false,
    supportsJsonSchema: false,
    userField: 'none',
    maxTokensExcludesReasoning: true,
    supportsMaxCompletionTokens: false,
  },
});
