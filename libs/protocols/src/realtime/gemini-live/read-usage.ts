import { isPlausible, omitUndefined, toCount, type Usage } from '@mg/contract';
import { readObjects } from '../../canonical/read-fields.js';
import { readGeminiUsage } from '../../gemini-generate/read-usage.js';
import { isObject, type JsonObject } from '../../json.js';

/**
 * Reads `usageMetadata` of a message of the Live API: what one turn used, with its kinds of tokens. What the details do not cover
 * is text. Cached tokens are counted as cached alone.
 *
 * @see https://ai.google.dev/api/live#UsageMetadata
 */
export function readLiveUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata) || !Object.values(metadata).every(isPlausibleMember)) return undefined;
  const usage = readGeminiUsage(metadata);
  if (!usage) return undefined;
  const input = [
    ...readObjects(metadata.promptTokensDetails),
    ...readObjects(metadata.toolUsePromptTokensDetails),
  ];
  const cached = readObjects(metadata.cacheTokensDetails);
  const said = readObjects(metadata.responseTokensDetails ?? metadata.candidatesTokensDetails);
  const fresh = (...kinds: readonly string[]) => Math.max(0, countOf(input, kinds) - countOf(cached, kinds));
  const audioInputTokens = Math.min(fresh('AUDIO'), usage.inputTokens - usage.cachedInputTokens);
  const seen = Math.min(
    fresh('IMAGE', 'VIDEO'),
    usage.inputTokens - usage.cachedInputTokens - audioInputTokens,
  );
  return {
    ...usage,
    audioInputTokens,
    audioOutputTokens: Math.min(countOf(said, ['AUDIO']), usage.outputTokens - usage.reasoningTokens),
    ...omitUndefined({ imageInputTokens: seen > 0 ? seen : undefined }),
  };
}

function countOf(details: readonly JsonObject[], kinds: readonly string[]): number {
  return details.reduce(
    (sum, { modality, tokenCount }) => sum + (kinds.includes(String(modality)) ? toCount(tokenCount) : 0),
    0,
  );
}

/** Whether a figure, or the figures of a list by kinds of tokens, could be true. */
function isPlausibleMember(member: unknown): boolean {
  if (typeof member === 'number') return isPlausible(member);
  return readObjects(member).every(({ tokenCount }) => tokenCount === undefined || isPlausible(tokenCount));
}
