import { omitUndefined } from '@mg/contract';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { carryCacheMarks, type WriteCacheMark } from '../canonical/carry-cache-marks.js';
import { JSON_ONLY, writeInput } from '../canonical/json-text.js';
import { refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest, OutputFormat } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';
import { HOME } from './decode-content.js';
import { encodeMessages } from './encode-messages.js';
import { encodeThinking } from './encode-thinking.js';
import { encodeTools } from './encode-tools.js';
import type { BedrockConverseContext } from './traits.js';

const NO_CALLS = 'Answer without calling any tool.';
const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved']);

/**
 * Writes a request of Converse. Model and streaming are given by the path.
 *
 * @throws GatewayError where leaving something out would change the meaning.
 */
export function* encodeInSteps(asked: CanonicalRequest, context: BedrockConverseContext): Steps<JsonObject> {
  const request = yield* carryCacheMarks(asked, HOME, 'cachePoint', writeCachePoint(context), context);
  reportUnknown(request, context);
  yield* reportForeignExtensions(request, HOME, context);
  const { inferenceConfig, additionalModelRequestFields: given, ...rest } = request.ext[HOME] ?? {};
  const { config: toolConfig, forbidden } = encodeTools(request, context);
  const { system, messages } = yield* encodeMessages(request, context);
  const thinking = encodeThinking(request, context);
  const instructions = [
    ...system,
    ...describeFormat(request.output, context),
    ...(forbidden ? [{ text: NO_CALLS }] : []),
  ];
  return omitUndefined({
    messages,
    system: instructions.length > 0 ? instructions : undefined,
    inferenceConfig: unlessEmpty({ ...encodeInference(request, context), ...toObject(inferenceConfig) }),
    toolConfig,
    outputConfig: encodeFormat(request.output, context),
    additionalModelRequestFields: unlessEmpty({ ...toObject(given), ...thinking }),
    serviceTier: encodeTier(request.serviceTier, context),
    ...rest,
  });
}

/** Where the model takes marks they hold for five minutes: an hour is for models that are reached by their own protocol. */
function writeCachePoint({ traits, dropped }: BedrockConverseContext): WriteCacheMark {
  return ({ place, forAnHour }) => {
    if (!traits.cachePoints?.includes(place)) return undefined;
    if (forAnHour) dropped.add('cache_control.ttl');
    return { type: 'default' };
  };
}

function reportUnknown(request: CanonicalRequest, context: BedrockConverseContext): void {
  if (request.choices > 1) refuseForChannel('n', 'it gives one answer to a request', context);
  if (request.logprobs) refuseForChannel('logprobs', 'it reports no probabilities', context);
  if (request.seed !== undefined) context.dropped.add('seed');
  if (request.topK !== undefined) context.dropped.add('top_k');
  if (request.presencePenalty) context.dropped.add('presence_penalty');
  if (request.frequencyPenalty) context.dropped.add('frequency_penalty');
  if (request.user !== undefined) context.dropped.add('user');
}

function encodeInference(request: CanonicalRequest, context: BedrockConverseContext): JsonObject {
  const { traits, dropped } = context;
  let { temperature, topP } = request;
  if (traits.supportsSampling === false) {
    if (temperature !== undefined) dropped.add('temperature');
    if (topP !== undefined) dropped.add('top_p');
    temperature = topP = undefined;
  }
  if ((temperature ?? 0) > 1) {
    temperature = 1;
    dropped.add('temperature');
  }
  const { maxTokens } = request;
  if (maxTokens === 0) refuseForChannel('max_tokens', 'it cannot answer with no tokens', context);
  const longest = traits.maxOutputTokens ?? Infinity;
  return {
    maxTokens: maxTokens === undefined ? undefined : Math.min(maxTokens, longest),
    temperature,
    topP,
    stopSequences: request.stop.length > 0 ? request.stop : undefined,
  };
}

/** What cannot be enforced is asked for in the prompt. */
function describeFormat(output: OutputFormat | undefined, { traits }: BedrockConverseContext): JsonObject[] {
  if (output?.type === 'json') return [{ text: JSON_ONLY }];
  if (output?.type !== 'schema' || traits.supportsJsonSchema !== false) return [];
  return [{ text: `${JSON_ONLY} It has to follow this JSON Schema:\n${writeInput(output.schema)}` }];
}

function encodeFormat(
  output: OutputFormat | undefined,
  { traits }: BedrockConverseContext,
): JsonObject | undefined {
  if (output?.type !== 'schema' || traits.supportsJsonSchema === false) return undefined;
  const jsonSchema = omitUndefined({
    schema: writeInput(structuredSchemas.of(output.schema)),
    name: output.name,
  });
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

function encodeTier(tier: string | undefined, context: BedrockConverseContext): JsonObject | undefined {
  if (tier === undefined || tier === 'auto') return undefined;
  if (TIERS.has(tier)) return { type: tier };
  context.dropped.add('service_tier');
  return undefined;
}

function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function unlessEmpty(members: JsonObject): JsonObject | undefined {
  const said = omitUndefined(members);
  return Object.keys(said).length > 0 ? said : undefined;
}
