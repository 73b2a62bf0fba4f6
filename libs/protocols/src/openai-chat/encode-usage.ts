import { omitUndefined, type Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';

/** Usage in the arithmetic of this dialect: the prompt with what the cache gave and took, the completion with reasoning. */
export function encodeUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: omitUndefined({
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: usage.cacheWriteTokens > 0 ? usage.cacheWriteTokens : undefined,
    }),
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
