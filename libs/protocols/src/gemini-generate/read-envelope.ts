import { checkModelName } from '../canonical/check-model.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { toCamelCase } from './normalise-keys.js';
import { generateContentRequest, MAX_CONTENTS } from './request-schema.js';

/** What the gateway must know of a `generateContent` request; everything else stays in the raw bytes. */
export interface GeminiEnvelope {
  /** From the path. */
  readonly model: string;
  readonly stream: boolean;
  /** Google's streams always report usage. */
  readonly includeUsage: boolean;
  /** Answers asked for. */
  readonly choices: number;
  /** The caller's own cap on the length of one answer, in tokens. */
  readonly maxTokens: number | undefined;
  /** Whether the client asked to see thoughts. */
  readonly showReasoning: boolean;
  readonly parsed: JsonObject;
}

/**
 * Reads and checks a request of `generateContent` or `streamGenerateContent`, in camelCase or snake_case.
 *
 * @param model the name in the path.
 * @param stream whether path or query ask for a stream; the body may ask too.
 * @throws GatewayError `invalid_request` whose `param` names the field.
 */
export function readGeminiEnvelope(body: Buffer, model: string, stream: boolean): GeminiEnvelope {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  if (model === '') refuseField('model', 'must be named in the path');
  checkModelName(model);
  refuseOtherModel(parsed.model, model);
  const { contents, generationConfig, ...fields } = validate(
    generateContentRequest,
    inGooglesSpelling(parsed),
  );
  checkContents(contents);
  return {
    model,
    stream: stream || fields.stream === true,
    includeUsage: true,
    choices: generationConfig?.candidateCount ?? 1,
    maxTokens: generationConfig?.maxOutputTokens ?? undefined,
    showReasoning: readShow(generationConfig?.thinkingConfig),
    parsed,
  };
}

/** The names that are read in camelCase, as the schema has them; what they hold stays as it was written. */
function inGooglesSpelling(parsed: JsonObject): JsonObject {
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
  const list: unknown = isObject(contents) ? [contents] : contents;
  if (!Array.isArray(list) || list.length === 0) refuseField('contents', 'must be a non-empty array');
  if (list.length > MAX_CONTENTS) refuseField('contents', `must hold at most ${MAX_CONTENTS} contents`);
  (list as unknown[]).forEach((content, index) => {
    if (!isObject(content)) refuseField(`contents[${index}]`, 'must be an object');
    const { parts } = content;
    if (parts === undefined || parts === null) return;
    if (!Array.isArray(parts)) refuseField(`contents[${index}].parts`, 'must be an array');
    (parts as unknown[]).forEach((part, at) => {
      if (!isObject(part)) refuseField(`contents[${index}].parts[${at}]`, 'must be an object');
    });
  });
}
