import { isBelievable, toCount, type Usage } from '@mg/contract';
import { isObject, type JsonObject } from '../json.js';

/**
 * Reads the `usage` object of a chat completion or of a stream's chunk; `undefined` when it tells nothing, or figures
 * that cannot be true.
 *
 * `prompt_tokens` includes the cached ones, `completion_tokens` the reasoning ones. Look-alikes tell cached tokens
 * elsewhere: DeepSeek in `prompt_cache_hit_tokens`, Moonshot in `cached_tokens`. xAI counts reasoning beside
 * `completion_tokens`, which shows in the total.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/object
 */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  if (!isBelievable(usage.prompt_tokens) || !isBelievable(usage.completion_tokens)) return undefined;
  const inputTokens = toCount(usage.prompt_tokens);
  const completionTokens = toCount(usage.completion_tokens);
  if (inputTokens === 0 && completionTokens === 0) return undefined;
  const reasoningTokens = toCount(completion.reasoning_tokens);
  const isBeside = usage.total_tokens === inputTokens + completionTokens + reasoningTokens;
  const outputTokens = isBeside ? completionTokens + reasoningTokens : completionTokens;
  const cached = toCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens);
  return {
    inputTokens,
    cachedInputTokens: Math.min(cached, inputTokens),
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
    images: 0,
    seconds: 0,
  };
}

/** Usage of a stream's chunk; Groq puts it into `x_groq`, Moonshot into the choice. */
export function readChunkUsage(chunk: JsonObject): Usage | undefined {
  const [choice] = Array.isArray(chunk.choices) ? (chunk.choices as unknown[]) : [];
  return (
    readUsage(chunk.usage) ??
    (isObject(chunk.x_groq) ? readUsage(chunk.x_groq.usage) : undefined) ??
    (isObject(choice) ? readUsage(choice.usage) : undefined)
  );
}
