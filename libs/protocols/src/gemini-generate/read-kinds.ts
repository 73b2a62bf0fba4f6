import { omitUndefined, toCount, type Usage } from '@mg/contract';
import { readDetails } from '../canonical/limit-items.js';
import type { JsonObject } from '../json.js';

type Kinds = Pick<Usage, 'audioInputTokens' | 'imageInputTokens' | 'audioOutputTokens' | 'imageOutputTokens'>;

/**
 * Tokens of audio and images in `usageMetadata`, where it tells any: prices may have rates of their own for them. What the details
 * do not cover is text; cached tokens count as cached alone, and film as images.
 *
 * @param usage all tokens of the same metadata.
 */
export function readKindsOfTokens(metadata: JsonObject, usage: Usage): Kinds {
  const input = [
    ...readDetails(metadata.promptTokensDetails),
    ...readDetails(metadata.toolUsePromptTokensDetails),
  ];
  const cached = readDetails(metadata.cacheTokensDetails);
  const said = readDetails(metadata.responseTokensDetails ?? metadata.candidatesTokensDetails);
  const fresh = (...kinds: readonly string[]) => Math.max(0, countOf(input, kinds) - countOf(cached, kinds));
  const prompt = usage.inputTokens - usage.cachedInputTokens;
  const answer = usage.outputTokens - usage.reasoningTokens;
  const audioIn = Math.min(fresh('AUDIO'), prompt);
  const audioOut = Math.min(countOf(said, ['AUDIO']), answer);
  return omitUndefined({
    audioInputTokens: audioIn || undefined,
    imageInputTokens: Math.min(fresh('IMAGE', 'VIDEO'), prompt - audioIn) || undefined,
    audioOutputTokens: audioOut || undefined,
    imageOutputTokens: Math.min(countOf(said, ['IMAGE']), answer - audioOut) || undefined,
  });
}

function countOf(details: readonly JsonObject[], kinds: readonly string[]): number {
  return details.reduce(
    (sum, { modality, tokenCount }) => sum + (kinds.includes(String(modality)) ? toCount(tokenCount) : 0),
    0,
  );
}
