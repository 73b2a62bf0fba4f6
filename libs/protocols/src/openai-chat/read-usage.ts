import { toCount, type Usage } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';

/**
 * Reads the `usage` object of a chat completion or of a stream's chunk.
 *
 * `prompt_tokens` includes the cached ones, `completion_tokens` the reasoning ones. Look-alikes tell cached tokens
 * elsewhere: DeepSeek in `prompt_cache_hit_tokens`, Moonshot in `cached_tokens`.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/object
 */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const inputTokens = toCount(usage.prompt_tokens);
  const outputTokens = toCount(usage.completion_tokens);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  const cached = toCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens);
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(toCount(completion.reasoning_tokens), outputTokens),
    images: 0,
    seconds: 0,
  };
}

/** Usage of a stream's chunk; Groq puts it into `x_groq`. */
export function readChunkUsage(chunk: JsonObject): Usage | undefined {
  return readUsage(chunk.usage) ?? (isObject(chunk.x_groq) ? readUsage(chunk.x_groq.usage) : undefined);
}
