import { readEffort } from '../canonical/effort.js';
import { nearestEffort } from '../canonical/nearest-effort.js';
import type { CanonicalRequest, ReasoningEffort } from '../canonical/request.js';
import type { JsonObject } from '../json.js';
import type { BedrockConverseContext, BedrockConverseTraits } from './traits.js';

/**
 * Asks for thinking in the field that the model's family has for it, among those that Converse hands through unread.
 * Models that cannot be asked think as they please.
 */
export function encodeThinking(request: CanonicalRequest, context: BedrockConverseContext): JsonObject {
  const wanted = request.reasoning && readEffort(request.reasoning);
  if (wanted === undefined) return {};
  const { effortField: field, efforts = [] } = context.traits;
  const effort = field && nearestEffort(wanted, roomFor(request, efforts, field));
  if (!field || effort === undefined) {
    if (wanted !== 'none') context.dropped.add('thinking');
    return {};
  }
  return writeEffort(field, effort);
}

function writeEffort(
  field: NonNullable<BedrockConverseTraits['effortField']>,
  effort: ReasoningEffort,
): JsonObject {
  switch (field) {
    case 'reasoning_effort':
      return { reasoning_effort: effort };
    case 'reasoning':
      return { reasoning: { effort } };
    case 'reasoningConfig':
      return {
        reasoningConfig:
          effort === 'none' ? { type: 'disabled' } : { type: 'enabled', maxReasoningEffort: effort },
      };
  }
}

/** Models asked by `reasoningConfig` refuse their highest effort beside a limit or sampling, which callers mean more exactly. */
function roomFor(
  request: CanonicalRequest,
  efforts: readonly ReasoningEffort[],
  field: string,
): readonly ReasoningEffort[] {
  const { maxTokens, temperature, topP } = request;
  const isLimited = maxTokens !== undefined || temperature !== undefined || topP !== undefined;
  return field === 'reasoningConfig' && isLimited ? efforts.filter((effort) => effort !== 'high') : efforts;
}
