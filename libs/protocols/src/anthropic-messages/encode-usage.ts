import { NO_USAGE, omitUndefined, type Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';

/** Usage in the arithmetic of this dialect: input without what the cache gave and took. Clients need every number. */
export function encodeUsage(usage: Usage = NO_USAGE): JsonObject {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  const writtenFor1h = Math.min(usage.cacheWrite1hTokens, written);
  return omitUndefined({
    input_tokens: usage.inputTokens - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    cache_creation:
      writtenFor1h > 0
        ? {
            ephemeral_5m_input_tokens: written - writtenFor1h,
            ephemeral_1h_input_tokens: writtenFor1h,
          }
        : undefined,
    output_tokens: usage.outputTokens,
    output_tokens_details: usage.reasoningTokens > 0 ? { thinking_tokens: usage.reasoningTokens } : undefined,
  });
}
