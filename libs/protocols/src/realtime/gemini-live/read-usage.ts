import { isPlausible, type Usage } from '@mg/contract';
import { readObjects } from '../../canonical/read-fields.js';
import { readKindsOfTokens } from '../../gemini-generate/read-kinds.js';
import { readGeminiUsage } from '../../gemini-generate/read-usage.js';
import { isObject } from '../../json.js';

/**
 * Reads `usageMetadata` of a message of the Live API: what one turn used, with its kinds of tokens.
 *
 * @see https://ai.google.dev/api/live#UsageMetadata
 */
export function readLiveUsage(metadata: unknown): Usage | undefined {
  if (!isObject(metadata) || !Object.values(metadata).every(isPlausibleMember)) return undefined;
  const usage = readGeminiUsage(metadata);
  if (!usage) return undefined;
  return { ...usage, audioInputTokens: 0, audioOutputTokens: 0, ...readKindsOfTokens(metadata, usage) };
}

/** Whether a figure, or the figures of a list by kinds of tokens, could be true. */
function isPlausibleMember(member: unknown): boolean {
  if (typeof member === 'number') return isPlausible(member);
  return readObjects(member).every(({ tokenCount }) => tokenCount === undefined || isPlausible(tokenCount));
}
