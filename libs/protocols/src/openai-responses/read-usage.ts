import { NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readObjects } from '../canonical/read-fields.js';
import { readServedTier } from '../chat/demand.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Reads the `usage` of a response. `input_tokens` includes the cached ones, `output_tokens` the reasoning ones.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/object
 */
export function readResponsesUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const input = isObject(usage.input_tokens_details) ? usage.input_tokens_details : {};
  const output = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const inputTokens = toCount(usage.input_tokens);
  const outputTokens = toCount(usage.output_tokens);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  const cached = Math.min(toCount(input.cached_tokens), inputTokens);
  return {
    ...NO_USAGE,
    inputTokens,
    cachedInputTokens: cached,
    cacheWriteTokens: Math.min(toCount(input.cache_write_tokens), inputTokens - cached),
    outputTokens,
    reasoningTokens: Math.min(toCount(output.reasoning_tokens), outputTokens),
  };
}

/**
 * Usage of a whole response: its tokens, the tools that the provider ran for it, and the tier it was served by. A search
 * of the web costs; opening a page that was found does not.
 *
 * @see https://platform.openai.com/docs/guides/tools-web-search
 */
export function readResponseUsage(response: JsonObject): Usage | undefined {
  const usage = readResponsesUsage(response.usage);
  if (!usage) return undefined;
  const items = readObjects(response.output);
  const webSearches = items.filter(isSearch).length;
  const fileSearches = items.filter(({ type }) => type === 'file_search_call').length;
  const codeSessions = countContainers(items);
  const tier = readServedTier(response.service_tier);
  return {
    ...usage,
    ...omitUndefined({
      webSearches: webSearches > 0 ? webSearches : undefined,
      fileSearches: fileSearches > 0 ? fileSearches : undefined,
      codeSessions: codeSessions > 0 ? codeSessions : undefined,
      tier,
    }),
  };
}

function isSearch({ type, action }: JsonObject): boolean {
  return (
    type === 'web_search_call' && (!isObject(action) || action.type === undefined || action.type === 'search')
  );
}

function countContainers(items: readonly JsonObject[]): number {
  const ran = items.filter(({ type }) => type === 'code_interpreter_call' || type === 'shell_call');
  const hosted = ran.map(({ container_id: own, environment }) =>
    isObject(environment) ? environment.container_id : own,
  );
  return new Set(hosted.filter((id) => typeof id === 'string')).size;
}

export function writeResponsesUsage(usage: Usage): JsonObject {
  const { cacheWriteTokens } = usage;
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: omitUndefined({
      cached_tokens: usage.cachedInputTokens,
      cache_write_tokens: cacheWriteTokens > 0 ? cacheWriteTokens : undefined,
    }),
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
