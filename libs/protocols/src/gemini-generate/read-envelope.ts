import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { needItems } from '../canonical/check-fields.js';
import { checkModelName } from '../canonical/check-model.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { toCamelCase } from './normalise-keys.js';
import { generateContentRequest, MAX_CONTENTS } from './request-schema.js';

/**
 * Reads and checks a request of `generateContent` or `streamGenerateContent`, in camelCase or snake_case.
 *
 * @param model the name in the path.
 * @param stream whether path or query ask for a stream; the body may ask too.
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readGeminiEnvelope(body: Buffer, model: string, stream: boolean): ChatEnvelope {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  if (model === '') refuseField('model', 'must be named in the path');
  checkModelName(model);
  refuseOtherModel(parsed.model, model);
  const { contents, generationConfig, ...fields } = validate(
    generateContentRequest,
    toCamelCaseNames(parsed),
  );
  checkContents(contents);
  return {
    model,
    stream: stream || fields.stream === true,
    // Streams of this protocol always report usage.
    includeUsage: true,
    choices: generationConfig?.candidateCount ?? 1,
    maxTokens: generationConfig?.maxOutputTokens ?? undefined,
    showReasoning: readShow(generationConfig?.thinkingConfig),
    parsed,
  };
}

/** The names that are read in camelCase, as the schema has them; what they hold stays as it was written. */
function toCamelCaseNames(parsed: JsonObject): JsonObject {
  const { contents, stream } = parsed;
  const config = parsed.generationConfig ?? parsed.generation_config;
  return { contents, stream, generationConfig: isObject(config) ? withCamelKeys(config) : config };
}

function withCamelKeys(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [toCamelCase(key), value]));
}

/** Some servers may read the body's name rather than the path's. */
function refuseOtherModel(named: unknown, model: string): void {
  if (named === undefined || named === model || named === `models/${model}`) return;
  refuseField('model', 'must be the model in the path, or left out of the body');
}

function readShow(config: unknown): boolean {
  return isObject(config) && (config.includeThoughts ?? config.include_thoughts) === true;
}

function checkContents(contents: unknown): void {
  const list = isObject(contents) ? [contents] : contents;
  needItems(list, 'contents', MAX_CONTENTS).forEach((content, index) => {
    if (!isObject(content)) refuseField(`contents[${index}]`, 'must be an object');
    const { parts } = content;
    if (parts === undefined || parts === null) return;
    if (!Array.isArray(parts)) refuseField(`contents[${index}].parts`, 'must be an array');
    (parts as unknown[]).forEach((part, at) => {
      if (!isObject(part)) refuseField(`contents[${index}].parts[${at}]`, 'must be an object');
    });
  });
}
