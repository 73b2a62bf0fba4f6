import { omitUndefined } from '@mg/contract';
import type { UsageStyle } from './behaviour.js';

/** Counts that a call is billed for. Completion tokens include the reasoning ones. */
export interface Billed {
  promptTokens: number;
  cachedTokens: number;
  cacheWriteTokens: number;
  /** Part of `cacheWriteTokens`. */
  cacheWrite1hTokens: number;
  completionTokens: number;
  reasoningTokens: number;
  images?: number;
  /** Those of `promptTokens` that are parts of images. */
  imageTokens?: number;
}

/** The `usage` object that the upstream reports for the counts, in its dialect. */
export function reportUsage(billed: Billed, style: UsageStyle = {}): unknown {
  if (style.figures !== undefined) return style.figures;
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens, reasoningTokens } = billed;
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: style.dialect === 'xai' ? completionTokens - reasoningTokens : completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  switch (style.dialect) {
    case 'groq':
      return {
        queue_time: 0.041905864,
        ...usage,
        total_time: 2.656170478,
        completion_tokens_details: { reasoning_tokens: reasoningTokens },
      };
    case 'deepseek':
      return {
        ...usage,
        prompt_tokens_details: { cached_tokens: cachedTokens },
        completion_tokens_details: { reasoning_tokens: reasoningTokens },
        prompt_cache_hit_tokens: cachedTokens,
        prompt_cache_miss_tokens: promptTokens - cachedTokens,
      };
    default:
      return {
        ...usage,
        prompt_tokens_details: omitUndefined({
          cached_tokens: cachedTokens,
          cache_write_tokens: cacheWriteTokens > 0 ? cacheWriteTokens : undefined,
          audio_tokens: 0,
        }),
        completion_tokens_details: {
          reasoning_tokens: reasoningTokens,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      };
  }
}
