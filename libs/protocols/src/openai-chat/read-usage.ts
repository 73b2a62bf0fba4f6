import { isPlausible, NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readServedTier } from '../chat/demand.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Reads the `usage` object of a chat completion or of a stream's chunk; `undefined` when it reports nothing, or figures
 * that cannot be true.
 *
 * `prompt_tokens` includes the cached and the cache-writing ones, `completion_tokens` the reasoning ones. Look-alikes
 * report cached tokens elsewhere: DeepSeek in `prompt_cache_hit_tokens`, Moonshot in `cached_tokens`. xAI leaves the
 * reasoning ones out of `completion_tokens`, which its total shows. Tokens of audio are among either.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/object
 */
export function readUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const completion = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  if (!isPlausible(usage.prompt_tokens) || !isPlausible(usage.completion_tokens)) return undefined;
  const inputTokens = toCount(usage.prompt_tokens);
  const completionTokens = toCount(usage.completion_tokens);
  const reasoningTokens = toCount(completion.reasoning_tokens);
  const apart = toCount(usage.total_tokens) === inputTokens + completionTokens + reasoningTokens;
  const outputTokens = apart ? completionTokens + reasoningTokens : completionTokens;
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  const cached = toCount(prompt.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens);
  const cachedInputTokens = Math.min(cached, inputTokens);
  const written = toCount(prompt.cache_write_tokens ?? prompt.cache_creation_tokens);
  return {
    ...NO_USAGE,
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens: Math.min(written, inputTokens - cachedInputTokens),
    outputTokens,
    reasoningTokens: Math.min(reasoningTokens, outputTokens),
    ...omitUndefined({
      audioInputTokens: Math.min(toCount(prompt.audio_tokens), inputTokens) || undefined,
      audioOutputTokens: Math.min(toCount(completion.audio_tokens), outputTokens) || undefined,
    }),
  };
}

/** Usage of a whole answer or of a stream's chunk, with the tier it was served by. */
export function readChunkUsage(chunk: JsonObject): Usage | undefined {
  const usage = findChunkUsage(chunk);
  const tier = readServedTier(chunk.service_tier);
  return usage && tier !== undefined ? { ...usage, tier } : usage;
}

/** Groq puts usage of a stream into `x_groq`, Moonshot into the first choice. */
function findChunkUsage(chunk: JsonObject): Usage | undefined {
  return (
    readUsage(chunk.usage) ??
    (isObject(chunk.x_groq) ? readUsage(chunk.x_groq.usage) : undefined) ??
    (Array.isArray(chunk.choices) && isObject(chunk.choices[0])
      ? readUsage(chunk.choices[0].usage)
      : undefined)
  );
}
