import { NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readCallId } from '../canonical/call-ids.js';
import { MOST_DETAILS } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
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
  const { webSearches, fileSearches, codeSessions } = countTools(
    readList(response.output).slice(0, MOST_ITEMS),
  );
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

/** Items of a response that are looked at: no response has as many. */
const MOST_ITEMS = 100_000;

type ToolUsage = Required<Pick<Usage, 'webSearches' | 'fileSearches' | 'codeSessions'>>;

/** What the provider ran; the containers of code are counted, and not how often it ran in one. */
function countTools(items: readonly unknown[]): ToolUsage {
  let webSearches = 0;
  let fileSearches = 0;
  const containers = new Set<string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    switch (item.type) {
      case 'web_search_call':
        if (isSearch(item)) webSearches++;
        break;
      case 'file_search_call':
        fileSearches++;
        break;
      case 'code_interpreter_call':
      case 'shell_call':
        if (containers.size < MOST_DETAILS) addContainer(item, containers);
        break;
      default:
    }
  }
  return { webSearches, fileSearches, codeSessions: containers.size };
}

function isSearch({ action }: JsonObject): boolean {
  return !isObject(action) || action.type === undefined || action.type === 'search';
}

function addContainer({ container_id: own, environment }: JsonObject, containers: Set<string>): void {
  const id = isObject(environment) ? environment.container_id : own;
  if (typeof id === 'string') containers.add(readCallId(id));
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
