import { NO_USAGE, type Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';

/** Usage in the arithmetic of this dialect: input without what the cache gave and took. Clients need every number. */
export function encodeUsage(usage: Usage = NO_USAGE): JsonObject {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  return {
    input_tokens: usage.inputTokens - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: usage.outputTokens,
    ...(usage.reasoningTokens > 0
      ? { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }
      : {}),
  };
}
