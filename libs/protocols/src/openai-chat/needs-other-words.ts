import type { ModelTraits } from '../canonical/codec.js';
import { isWebUrl } from '../canonical/media-type.js';
import { readObjects } from '../canonical/read-fields.js';
import { holdsBareCalls } from './holds-bare-calls.js';
import { isObject, type JsonObject } from '../json.js';

/**
 * Whether a look-alike would refuse or overlook what a client says in words that are OpenAI's alone, or would answer in
 * words that OpenAI's clients do not read.
 */
export function needsOtherWords(parsed: JsonObject, traits: ModelTraits): boolean {
  return (
    traits.oddAnswers === true ||
    (traits.jsonSchema === false && asksForSchema(parsed.response_format)) ||
    (traits.streamUsage === false && isSaid(parsed.stream_options)) ||
    (traits.laterWords === false && usesLaterWords(parsed)) ||
    (capsThoughtsElsewhere(traits) && isSaid(parsed.max_tokens)) ||
    (traits.mediaByUrl === false && namesMedia(parsed)) ||
    (traits.loopNeedsThoughts === true && holdsBareCalls(parsed.messages))
  );
}

/** A cap that leaves out thoughts would not be the cap that money is held for. */
function capsThoughtsElsewhere({ maxTokensOmitsThoughts, maxTokensField }: ModelTraits): boolean {
  return maxTokensOmitsThoughts === true && maxTokensField === 'max_completion_tokens';
}

function asksForSchema(format: unknown): boolean {
  return isObject(format) && format.type === 'json_schema';
}

function usesLaterWords(parsed: JsonObject): boolean {
  return (
    isSaid(parsed.max_completion_tokens) ||
    readObjects(parsed.messages).some((message) => message.role === 'developer')
  );
}

function namesMedia(parsed: JsonObject): boolean {
  const parts = readObjects(parsed.messages).flatMap((message) => readObjects(message.content));
  return parts.some(({ image_url: image }) => isObject(image) && isWebUrl(image.url));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}
