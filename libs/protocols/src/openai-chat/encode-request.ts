import { omitUndefined } from '@mg/contract';
import { carryFields, type SharedFields } from '../canonical/carry-fields.js';
import { digestId } from '../canonical/digest-id.js';
import { readEffort } from '../canonical/effort.js';
import { JSON_ONLY, writeInput } from '../canonical/json-text.js';
import { mentionsJson } from '../canonical/mentions-json.js';
import { nearestEffort } from '../canonical/nearest-effort.js';
import { refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import type { JsonObject } from '../json.js';
import { encodeMessages } from './encode-messages.js';
import { encodeTools } from './encode-tools.js';
import { hasCallsWithoutReasoning } from './calls-without-reasoning.js';
import type { OpenAiChatContext } from './traits.js';

const HOME = 'openai-chat';
/** What the Responses API has too. */
const SHARED_FIELDS: SharedFields = {
  from: 'openai-responses',
  to: HOME,
  names: {
    metadata: 'metadata',
    prompt_cache_key: 'prompt_cache_key',
    prompt_cache_retention: 'prompt_cache_retention',
    'text.verbosity': 'verbosity',
  },
};
const MAX_STOPS = 4;
const MAX_USER_CHARACTERS = 64;
const SCHEMA_NAME = 'answer';

/**
 * Writes a chat completion request.
 *
 * @throws GatewayError where leaving something out would change the meaning.
 */
export function* encodeInSteps(asked: CanonicalRequest, context: OpenAiChatContext): Steps<JsonObject> {
  const { traits } = context;
  const request = traits.supportsOpenAiFields ? carryFields(asked, SHARED_FIELDS) : asked;
  yield* reportForeignExtensions(request, HOME, context);
  refuseUnknown(request, context);
  const messages = yield* encodeMessages(request, context);
  return omitUndefined({
    model: context.upstreamModel,
    messages: addJsonOrder(messages, request, context),
    ...encodeStreaming(request, context),
    [traits.maxTokensField ?? 'max_completion_tokens']: encodeMaxTokens(request, context),
    ...encodeSampling(request, context),
    stop: request.stop.length > 0 && traits.supportsStop !== false ? request.stop : undefined,
    seed: request.seed,
    n: request.choices > 1 ? request.choices : undefined,
    logprobs: request.logprobs ? true : undefined,
    top_logprobs: request.logprobs?.top || undefined,
    reasoning_effort: encodeEffort(request, messages, context),
    response_format: encodeFormat(request, context),
    ...encodeTools(request, context),
    ...encodeUser(request.user, context),
    service_tier: request.serviceTier,
    ...request.ext[HOME],
  });
}

function refuseUnknown(request: CanonicalRequest, context: OpenAiChatContext): void {
  if (request.stop.length > MAX_STOPS && context.traits.supportsStop !== false) {
    refuseForChannel('stop', `it takes at most ${MAX_STOPS} stop sequences`, context);
  }
  if (request.topK !== undefined) context.dropped.add('top_k');
  if (request.reasoning?.show === false) context.dropped.add('thinking.display');
}

function encodeStreaming(request: CanonicalRequest, context: OpenAiChatContext): JsonObject {
  if (!request.stream) return {};
  return context.traits.supportsStreamUsage === false
    ? { stream: true }
    : { stream: true, stream_options: { include_usage: true } };
}

function encodeMaxTokens(request: CanonicalRequest, context: OpenAiChatContext): number | undefined {
  if (request.maxTokens === 0) refuseForChannel('max_tokens', 'it cannot answer with no tokens', context);
  return request.maxTokens === undefined
    ? undefined
    : Math.min(request.maxTokens, context.traits.maxOutputTokens ?? Infinity);
}

function encodeSampling(request: CanonicalRequest, context: OpenAiChatContext): JsonObject {
  const { temperature, topP, presencePenalty, frequencyPenalty } = request;
  if (context.traits.supportsSampling !== false) {
    return {
      temperature,
      top_p: topP,
      presence_penalty: presencePenalty,
      frequency_penalty: frequencyPenalty,
    };
  }
  if (temperature !== undefined && temperature !== 1) context.dropped.add('temperature');
  if (topP !== undefined && topP !== 1) context.dropped.add('top_p');
  if (presencePenalty) context.dropped.add('presence_penalty');
  if (frequencyPenalty) context.dropped.add('frequency_penalty');
  return {};
}

/** A loop whose reasoning was lost on the way is ended without thinking: with it, it would be refused. */
function encodeEffort(
  request: CanonicalRequest,
  messages: readonly JsonObject[],
  context: OpenAiChatContext,
): string | undefined {
  if (context.traits.requiresReasoningReplay && hasCallsWithoutReasoning(messages)) {
    if (request.reasoning && readEffort(request.reasoning) !== 'none') context.dropped.add('thinking');
    return 'none';
  }
  if (!request.reasoning) return undefined;
  const effort = readEffort(request.reasoning);
  const { efforts } = context.traits;
  if (effort === undefined || !efforts) return effort;
  const nearest = nearestEffort(effort, efforts);
  if (nearest === undefined && effort !== 'none') context.dropped.add('thinking');
  return nearest;
}

function encodeFormat(request: CanonicalRequest, context: OpenAiChatContext): JsonObject | undefined {
  const { output } = request;
  if (!output) return undefined;
  if (output.type === 'json' || context.traits.supportsJsonSchema === false) return { type: 'json_object' };
  const strict = output.strict ?? (strictSchemas.of(output.schema) ? true : undefined);
  return {
    type: 'json_schema',
    json_schema: omitUndefined({ name: output.name ?? SCHEMA_NAME, schema: output.schema, strict }),
  };
}

/** The provider wants the word JSON in the prompt of a plain JSON answer; a schema it does not take goes there too. */
function addJsonOrder(
  messages: JsonObject[],
  request: CanonicalRequest,
  context: OpenAiChatContext,
): JsonObject[] {
  const { output } = request;
  if (!output) return messages;
  const needsInstructions = output.type === 'schema' && context.traits.supportsJsonSchema === false;
  if (!needsInstructions && (output.type === 'schema' || mentionsJson(messages))) return messages;
  const order = needsInstructions
    ? `${JSON_ONLY} It must match this JSON Schema: ${writeInput(output.schema)}`
    : JSON_ONLY;
  const [first, ...others] = messages;
  if (first && (first.role === 'system' || first.role === 'developer')) {
    const content = Array.isArray(first.content)
      ? [...(first.content as unknown[]), { type: 'text', text: order }]
      : `${String(first.content)}\n\n${order}`;
    return [{ ...first, content }, ...others];
  }
  return [
    { role: context.traits.supportsDeveloperRole ? 'developer' : 'system', content: order },
    ...messages,
  ];
}

/** Longer names than the provider takes are replaced by their hash: still one name for one user. */
function encodeUser(user: string | undefined, context: OpenAiChatContext): JsonObject {
  if (user === undefined) return {};
  const field = context.traits.userField ?? 'safety_identifier';
  if (field === 'none') {
    context.dropped.add('user');
    return {};
  }
  const short = user.length <= MAX_USER_CHARACTERS ? user : digestId(user);
  return { [field]: short };
}
