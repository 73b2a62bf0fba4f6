import { isPlausible, NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readDetails } from '../canonical/limit-items.js';
import { isObject, type JsonObject } from '../json.js';

const FIGURES = ['inputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens', 'outputTokens'] as const;

/**
 * Reads the `usage` object of an answer or of a stream's `metadata`; `undefined` when it reports nothing, or figures that
 * cannot be true. `inputTokens` leaves out what was read from and written to the cache; `outputTokens` includes thinking,
 * of which nothing else is reported.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_TokenUsage.html
 */
export function readConverseUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage) || !FIGURES.every((figure) => isPlausible(usage[figure]))) return undefined;
  const cachedInputTokens = toCount(usage.cacheReadInputTokens);
  const cacheWriteTokens = toCount(usage.cacheWriteInputTokens);
  const inputTokens = toCount(usage.inputTokens) + cachedInputTokens + cacheWriteTokens;
  const outputTokens = toCount(usage.outputTokens);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  const cacheWrite1hTokens = Math.min(readHourCacheWrites(usage.cacheDetails), cacheWriteTokens);
  return {
    ...NO_USAGE,
    inputTokens,
    cachedInputTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    outputTokens,
  };
}

/** What was written to the cache, apart by how long it stays there. */
function readHourCacheWrites(details: unknown): number {
  const entries = readDetails(details).filter(({ ttl }) => ttl === '1h');
  return entries.reduce((sum, { inputTokens }) => sum + toCount(inputTokens), 0);
}

/** Usage in the arithmetic of this dialect. */
export function encodeUsage(usage: Usage = NO_USAGE): JsonObject {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens, usage.inputTokens - cached);
  const writtenFor1h = Math.min(usage.cacheWrite1hTokens, written);
  return omitUndefined({
    inputTokens: usage.inputTokens - cached - written,
    outputTokens: usage.outputTokens,
    totalTokens: usage.inputTokens + usage.outputTokens,
    cacheReadInputTokens: cached,
    cacheWriteInputTokens: written,
    cacheDetails:
      writtenFor1h > 0
        ? [
            { ttl: '5m', inputTokens: written - writtenFor1h },
            { ttl: '1h', inputTokens: writtenFor1h },
          ]
        : undefined,
  });
}
