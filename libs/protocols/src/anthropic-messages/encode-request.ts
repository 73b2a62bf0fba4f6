import { omitUndefined } from '@mg/contract';
import { carryCacheMarks, type WriteCacheMark } from '../canonical/carry-cache-marks.js';
import { JSON_ONLY } from '../canonical/json-text.js';
import { refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';
import { structuredSchemas } from '../canonical/adapt-schema.js';
import { isPlainText } from './encode-blocks.js';
import { encodeThinking } from './encode-thinking.js';
import { encodeTools } from './encode-tools.js';
import { encodeTurns } from './encode-turns.js';
import type { AnthropicMessagesContext } from './traits.js';

const HOME = 'anthropic-messages';
/** Below this, a model that thinks refuses to sample. */
const MIN_THINKING_TOP_P = 0.95;
const TIERS: Readonly<Record<string, string>> = { auto: 'auto', default: 'standard_only' };

const writeCacheControl: WriteCacheMark = ({ forAnHour }) =>
  omitUndefined({ type: 'ephemeral', ttl: forAnHour ? '1h' : undefined });

/**
 * Writes a messages request.
 *
 * @throws GatewayError where leaving something out would change the meaning.
 */
export function* encodeInSteps(
  asked: CanonicalRequest,
  context: AnthropicMessagesContext,
): Steps<JsonObject> {
  const request = yield* carryCacheMarks(asked, HOME, 'cache_control', writeCacheControl, context);
  refuseUnknown(request, context);
  yield* reportForeignExtensions(request, HOME, context);
  const { output_config: outputRest, metadata: metadataRest, ...rest } = request.ext[HOME] ?? {};
  const { tools, choice, forced } = encodeTools(request, context);
  const { system, messages, reasoningMissing } = yield* encodeTurns(request, context);
  const lacksReasoning = reasoningMissing && context.traits.supportsAdaptiveThinking !== true;
  const thinking = encodeThinking(request, context, !forced && !lacksReasoning);
  return omitUndefined({
    model: context.upstreamModel,
    max_tokens: thinking.maxTokens,
    system: encodeSystem(system, request),
    messages,
    stream: request.stream ? true : undefined,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: choice,
    thinking: thinking.thinking,
    output_config: unlessEmpty({
      ...toObject(outputRest),
      effort: thinking.effort,
      format: encodeFormat(request, context),
    }),
    ...encodeSampling(request, context, thinking.on),
    stop_sequences: encodeStop(request.stop, context),
    metadata: unlessEmpty({ ...toObject(metadataRest), user_id: request.user }),
    service_tier: encodeTier(request.serviceTier, context),
    ...rest,
  });
}

/** Whole answers that this protocol cannot give. */
function refuseUnknown(request: CanonicalRequest, context: AnthropicMessagesContext): void {
  if (request.choices > 1) refuseForChannel('n', 'it gives one answer to a request', context);
  if (request.logprobs) refuseForChannel('logprobs', 'it reports no probabilities', context);
  if (request.seed !== undefined) context.dropped.add('seed');
  if (request.presencePenalty) context.dropped.add('presence_penalty');
  if (request.frequencyPenalty) context.dropped.add('frequency_penalty');
}

function encodeSystem(system: readonly JsonObject[], request: CanonicalRequest): unknown {
  const blocks = request.output?.type === 'json' ? [...system, { type: 'text', text: JSON_ONLY }] : system;
  const [only, ...others] = blocks;
  if (!only) return undefined;
  return others.length === 0 && isPlainText(only) ? only.text : blocks;
}

function encodeFormat(request: CanonicalRequest, context: AnthropicMessagesContext): JsonObject | undefined {
  if (request.output?.type !== 'schema' || context.traits.supportsJsonSchema === false) return undefined;
  return { type: 'json_schema', schema: structuredSchemas.of(request.output.schema) };
}

interface Sampling {
  temperature: number | undefined;
  top_p: number | undefined;
  top_k: number | undefined;
}

function encodeSampling(
  request: CanonicalRequest,
  context: AnthropicMessagesContext,
  thinks: boolean,
): Sampling {
  const sampling: Sampling = {
    temperature: request.temperature,
    top_p: request.topP,
    top_k: request.topK,
  };
  const leaveOut = (field: keyof Sampling) => {
    if (sampling[field] === undefined) return;
    sampling[field] = undefined;
    context.dropped.add(field);
  };
  if (context.traits.supportsSampling === false) {
    if (sampling.temperature !== 1) leaveOut('temperature');
    leaveOut('top_p');
    leaveOut('top_k');
    return sampling;
  }
  if (thinks) {
    if (sampling.temperature !== 1) leaveOut('temperature');
    if ((sampling.top_p ?? 1) < MIN_THINKING_TOP_P) leaveOut('top_p');
    leaveOut('top_k');
  }
  // Of the two, temperature is what callers mean more often.
  if (context.traits.supportsTemperatureWithTopP === false && sampling.temperature !== undefined) {
    leaveOut('top_p');
  }
  if ((sampling.temperature ?? 0) > 1) {
    sampling.temperature = 1;
    context.dropped.add('temperature');
  }
  return sampling;
}

function encodeStop(
  stop: readonly string[],
  context: AnthropicMessagesContext,
): readonly string[] | undefined {
  const kept = stop.filter((entry) => entry.trim() !== '');
  if (kept.length < stop.length) context.dropped.add('stop');
  return kept.length > 0 ? kept : undefined;
}

function encodeTier(tier: string | undefined, context: AnthropicMessagesContext): string | undefined {
  if (tier === undefined) return undefined;
  if (Object.hasOwn(TIERS, tier)) return TIERS[tier];
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
