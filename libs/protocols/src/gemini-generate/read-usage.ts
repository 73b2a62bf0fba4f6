import { NO_USAGE, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readCallId } from '../canonical/call-ids.js';
import { MOST_DETAILS } from '../canonical/limit-items.js';
import { readList, readObject, readObjects } from '../canonical/read-fields.js';
import { readServedTier } from '../chat/demand.js';
import { isObject, type JsonObject } from '../json.js';
import { readKindsOfTokens } from './read-kinds.js';

/**
 * Reads `usageMetadata`. Google counts the prompt with what was cached but without what its own tools added, and the
 * answer without the thoughts.
 *
 * @see https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function readGeminiUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const prompt = toCount(usage.promptTokenCount);
  const toolUse = toCount(usage.toolUsePromptTokenCount);
  const thoughts = toCount(usage.thoughtsTokenCount);
  const inputTokens = prompt + toolUse;
  const outputTokens = readAnswerTokens(usage, inputTokens + thoughts) + thoughts;
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  return {
    ...NO_USAGE,
    inputTokens,
    cachedInputTokens: Math.min(toCount(usage.cachedContentTokenCount), inputTokens),
    outputTokens,
    reasoningTokens: thoughts,
  };
}

/** Models that ask for a fee by the call whose answer rests on a search, not by the query. */
const PAID_BY_CALL = /^(?:models\/)?gemini-[12](?:\D|$)/;

/**
 * Usage of an answer, or of an event of a stream: its tokens, the searches that it rests on, and its tier.
 *
 * @see https://ai.google.dev/gemini-api/docs/pricing
 */
export function readGeminiAnswerUsage(answer: JsonObject): Usage | undefined {
  const { usageMetadata } = answer;
  const usage = readGeminiUsage(usageMetadata);
  if (!usage) return undefined;
  const webSearches = countSearches(answer);
  const metadata = isObject(usageMetadata) ? usageMetadata : {};
  const tier = readServedTier(metadata.serviceTier);
  return {
    ...usage,
    ...readKindsOfTokens(metadata, usage),
    ...omitUndefined({ webSearches: webSearches > 0 ? webSearches : undefined, tier }),
  };
}

function countSearches({ candidates, modelVersion }: JsonObject): number {
  const queries = new Set<unknown>();
  for (const { groundingMetadata } of readObjects(candidates)) {
    const { webSearchQueries } = readObject(groundingMetadata) ?? {};
    for (const query of readList(webSearchQueries).slice(0, MOST_DETAILS)) {
      if (queries.size < MOST_DETAILS) queries.add(typeof query === 'string' ? readCallId(query) : query);
    }
  }
  const byCall = typeof modelVersion === 'string' && PAID_BY_CALL.test(modelVersion);
  return byCall ? Math.min(1, queries.size) : queries.size;
}

/** Tokens of the answer itself; where they are left out, what the total has beyond everything else. */
function readAnswerTokens(usage: JsonObject, others: number): number {
  const candidates = usage.candidatesTokenCount ?? usage.responseTokenCount;
  if (candidates !== undefined) return toCount(candidates);
  return Math.max(0, toCount(usage.totalTokenCount) - others);
}

/** Writes usage in Google's arithmetic. */
export function writeGeminiUsage(usage: Usage): JsonObject {
  const thoughts = Math.min(usage.reasoningTokens, usage.outputTokens);
  return omitUndefined({
    promptTokenCount: usage.inputTokens,
    cachedContentTokenCount: usage.cachedInputTokens > 0 ? usage.cachedInputTokens : undefined,
    candidatesTokenCount: usage.outputTokens - thoughts,
    thoughtsTokenCount: thoughts > 0 ? thoughts : undefined,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
  });
}
