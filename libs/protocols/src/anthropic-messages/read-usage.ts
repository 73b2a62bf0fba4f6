import { isPlausible, NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readDetails } from '../canonical/limit-items.js';
import { isObject, type JsonObject } from '../json.js';

const FIGURES = [
  'input_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens',
] as const;

/**
 * Reads the `usage` object of a message or of a stream's event; `undefined` when it reports nothing, or figures that
 * cannot be true.
 *
 * `input_tokens` leaves out what was read from and written to the cache, of which
 * `cache_creation` says how long it is kept; `output_tokens` includes thinking. Compaction
 * of the context is billed beside the message and stands in `iterations` alone. Searches of the web are counted in
 * `server_tool_use`; `speed` says whether an answer that was asked for faster came faster.
 *
 * @see https://docs.claude.com/en/api/messages
 */
export function readMessagesUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage) || !FIGURES.every((figure) => isPlausible(usage[figure]))) return undefined;
  const compactions = readDetails(usage.iterations).filter(({ type }) => type === 'compaction');
  let sum = readFigures(usage);
  for (const entry of compactions) sum = addUsage(sum, readFigures(entry));
  return sum.inputTokens === 0 && sum.outputTokens === 0 ? undefined : sum;
}

/** Usage of a whole message. Code ran in a container where the message names one. */
export function readMessageUsage(message: JsonObject): Usage | undefined {
  const usage = readMessagesUsage(message.usage);
  return usage && isObject(message.container) ? { ...usage, codeSessions: 1 } : usage;
}

/** Usage that an event of a stream carries: the first one reports the input, later ones the output, cumulatively. */
export function readEventUsage(event: JsonObject): Usage | undefined {
  if (isObject(event.message)) return readMessageUsage(event.message);
  const container = isObject(event.delta) ? event.delta.container : undefined;
  return readMessageUsage({ usage: event.usage, container });
}

function readFigures(usage: JsonObject): Usage {
  const cachedInputTokens = toCount(usage.cache_read_input_tokens);
  const cacheWriteTokens = toCount(usage.cache_creation_input_tokens);
  const created = isObject(usage.cache_creation) ? usage.cache_creation : {};
  const outputTokens = toCount(usage.output_tokens);
  const details = isObject(usage.output_tokens_details) ? usage.output_tokens_details : {};
  const webSearches = isObject(usage.server_tool_use)
    ? toCount(usage.server_tool_use.web_search_requests)
    : 0;
  return {
    ...NO_USAGE,
    inputTokens: toCount(usage.input_tokens) + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: Math.min(toCount(created.ephemeral_1h_input_tokens), cacheWriteTokens),
    outputTokens,
    reasoningTokens: Math.min(toCount(details.thinking_tokens), outputTokens),
    ...omitUndefined({
      webSearches: webSearches > 0 ? webSearches : undefined,
      tier: usage.speed === 'standard' ? 'standard' : undefined,
    }),
  };
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    ...a,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    cacheWrite1hTokens: a.cacheWrite1hTokens + b.cacheWrite1hTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
