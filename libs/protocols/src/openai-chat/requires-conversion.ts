import { isWebUrl } from '../canonical/media-type.js';
import { readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';
import { hasCallsWithoutReasoning } from './calls-without-reasoning.js';
import type { OpenAiChatTraits } from './traits.js';

/**
 * Whether a look-alike would refuse or overlook what a client says in fields that are OpenAI's alone, or would answer in
 * fields that OpenAI's clients do not read.
 */
export function requiresConversion(parsed: JsonObject, traits: OpenAiChatTraits): boolean {
  return (
    traits.needsResponseConversion === true ||
    (traits.supportsJsonSchema === false && asksForSchema(parsed.response_format)) ||
    (traits.supportsStreamUsage === false && isSet(parsed.stream_options)) ||
    (traits.supportsMaxCompletionTokens === false && usesNewerFields(parsed)) ||
    (capsReasoningInOtherField(traits) && isSet(parsed.max_tokens)) ||
    (traits.supportsSampling === false && setsFieldsRefusedWithReasoning(parsed)) ||
    (traits.supportsMediaUrls === false && hasMediaUrls(parsed)) ||
    (traits.requiresReasoningReplay === true && hasCallsWithoutReasoning(parsed.messages))
  );
}

/** A cap that leaves out reasoning would not be the cap that money is held for. */
function capsReasoningInOtherField({
  maxTokensExcludesReasoning,
  maxTokensField,
}: OpenAiChatTraits): boolean {
  return maxTokensExcludesReasoning === true && maxTokensField === 'max_completion_tokens';
}

function asksForSchema(format: unknown): boolean {
  return isObject(format) && format.type === 'json_schema';
}

function usesNewerFields(parsed: JsonObject): boolean {
  return (
    isSet(parsed.max_completion_tokens) ||
    readObjects(parsed.messages).some((message) => message.role === 'developer')
  );
}

/**
 * Clients choose these by a model's name, and behind a name of the operator's they cannot know that it thinks: OpenAI answers
 * 400 to what the conversion writes as it takes it, or leaves out and names.
 */
function setsFieldsRefusedWithReasoning(parsed: JsonObject): boolean {
  return (
    isSet(parsed.max_tokens) ||
    isOther(parsed.temperature, 1) ||
    isOther(parsed.top_p, 1) ||
    isOther(parsed.presence_penalty, 0) ||
    isOther(parsed.frequency_penalty, 0)
  );
}

function isOther(value: unknown, only: number): boolean {
  return isSet(value) && value !== only;
}

function hasMediaUrls(parsed: JsonObject): boolean {
  const parts = readObjects(parsed.messages).flatMap((message) => readObjects(message.content));
  return parts.some(({ image_url: image }) => isObject(image) && isWebUrl(image.url));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
