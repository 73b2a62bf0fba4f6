import { omitUndefined } from '@mg/contract';
import { carryFields, type SharedFields } from '../canonical/carry-fields.js';
import { digestId } from '../canonical/digest-id.js';
import { readEffort } from '../canonical/effort.js';
import { JSON_ONLY } from '../canonical/json-text.js';
import { mentionsJson } from '../canonical/mentions-json.js';
import { nearestEffort } from '../canonical/nearest-effort.js';
import { readList } from '../canonical/read-fields.js';
import { refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest, OutputFormat } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import { strictSchemas } from '../canonical/schema-rules.js';
import { isObject, type JsonObject } from '../json.js';
import { encodeInput } from './encode-input.js';
import { encodeTools } from './encode-tools.js';
import type { OpenAiResponsesContext } from './traits.js';

/** What chat completions have too. */
const SHARED_FIELDS: SharedFields = {
  from: 'openai-chat',
  to: 'openai-responses',
  names: {
    metadata: 'metadata',
    prompt_cache_key: 'prompt_cache_key',
    prompt_cache_retention: 'prompt_cache_retention',
    verbosity: 'text.verbosity',
  },
};
const MAX_USER_LENGTH = 64;
const MIN_OUTPUT_TOKENS = 16;
const DEFAULT_SCHEMA_NAME = 'answer';
const ENCRYPTED = 'reasoning.encrypted_content';
const LOGPROBS = 'message.output_text.logprobs';

/**
 * Writes a request of the Responses API. Nothing is stored with the provider unless the caller asked for it.
 *
 * @throws GatewayError `invalid_request` where leaving something out would change the meaning.
 */
export function* encodeInSteps(asked: CanonicalRequest, context: OpenAiResponsesContext): Steps<JsonObject> {
  const request = context.traits.supportsOpenAiFields ? carryFields(asked, SHARED_FIELDS) : asked;
  yield* reportForeignExtensions(request, 'openai-responses', context);
  refuseUnknownOutput(request, context);
  const { 'text.verbosity': verbosity, include, ...own } = request.ext['openai-responses'] ?? {};
  const { instructions, input } = yield* encodeInput(request.turns, context);
  const text = omitUndefined({ format: request.output && encodeFormat(request.output), verbosity });
  return omitUndefined({
    model: context.upstreamModel,
    instructions,
    input: addJsonOrder(input, request, context),
    ...encodeTools(request, context),
    max_output_tokens: encodeMaxTokens(request, context),
    ...encodeSampling(request, context),
    top_logprobs: request.logprobs?.top,
    include: encodeInclude(request, readList(include), context),
    reasoning: encodeReasoning(request, context),
    text: Object.keys(text).length === 0 ? undefined : text,
    ...encodeUser(request.user, context),
    service_tier: request.serviceTier,
    stream: request.stream ? true : undefined,
    store: false,
    ...own,
  });
}

/** What this protocol does not have and the gateway does not add; at stop strings the gateway cuts the answer itself. */
function refuseUnknownOutput(request: CanonicalRequest, context: OpenAiResponsesContext): void {
  if (request.choices > 1) refuseForChannel('n', 'it gives one answer', context);
}

/** A shorter answer than the provider allows becomes the shortest that it does. */
function encodeMaxTokens(
  { maxTokens }: CanonicalRequest,
  context: OpenAiResponsesContext,
): number | undefined {
  if (maxTokens === undefined) return undefined;
  if (maxTokens === 0) refuseForChannel('max_tokens', 'it cannot answer with no tokens', context);
  if (maxTokens < MIN_OUTPUT_TOKENS) context.dropped.add('max_tokens');
  const longest = context.traits.maxOutputTokens ?? Infinity;
  return Math.max(MIN_OUTPUT_TOKENS, Math.min(maxTokens, longest));
}

/** For a plain JSON answer the provider wants the word JSON in the input; the instructions do not count. */
function addJsonOrder(
  input: readonly JsonObject[],
  { output }: CanonicalRequest,
  { traits }: OpenAiResponsesContext,
): readonly JsonObject[] {
  if (output?.type !== 'json' || mentionsJson(input)) return input;
  const role = traits.supportsDeveloperRole === true ? 'developer' : 'system';
  return [{ type: 'message', role, content: [{ type: 'input_text', text: JSON_ONLY }] }, ...input];
}

function encodeSampling(request: CanonicalRequest, context: OpenAiResponsesContext): JsonObject {
  const { dropped, traits } = context;
  if (request.topK !== undefined) dropped.add('top_k');
  if (request.seed !== undefined) dropped.add('seed');
  if (request.presencePenalty !== undefined) dropped.add('presence_penalty');
  if (request.frequencyPenalty !== undefined) dropped.add('frequency_penalty');
  if (traits.supportsSampling !== false) return { temperature: request.temperature, top_p: request.topP };
  if (request.temperature !== undefined) dropped.add('temperature');
  if (request.topP !== undefined) dropped.add('top_p');
  return {};
}

function encodeInclude(
  request: CanonicalRequest,
  asked: readonly unknown[],
  context: OpenAiResponsesContext,
): unknown[] | undefined {
  const include: unknown[] = [...asked];
  if (request.logprobs) include.push(LOGPROBS);
  const effort = request.reasoning && readEffort(request.reasoning);
  const asksToThink =
    request.reasoning !== undefined && effort !== 'none' && context.traits.efforts?.length !== 0;
  if (asksToThink || context.traits.thinksByDefault) include.push(ENCRYPTED);
  return include.length === 0 ? undefined : include;
}

function encodeReasoning(request: CanonicalRequest, context: OpenAiResponsesContext): JsonObject | undefined {
  if (!request.reasoning) return undefined;
  const wanted = readEffort(request.reasoning);
  const { efforts } = context.traits;
  if (efforts?.length === 0) {
    if (wanted !== 'none') context.dropped.add('thinking');
    return undefined;
  }
  const effort = wanted && efforts ? nearestEffort(wanted, efforts) : wanted;
  const shows = request.reasoning.show ?? effort !== 'none';
  const reasoning = omitUndefined({ effort, summary: shows ? 'auto' : undefined });
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
}

function encodeFormat(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { type: 'json_object' };
  return {
    type: 'json_schema',
    name: output.name ?? DEFAULT_SCHEMA_NAME,
    schema: output.schema,
    strict: output.strict !== false && strictSchemas.of(output.schema) && isObject(output.schema.properties),
  };
}

/** Identifiers are limited; longer ones are replaced by a digest that is always the same. */
function encodeUser(user: string | undefined, context: OpenAiResponsesContext): JsonObject {
  const field = context.traits.userField ?? 'safety_identifier';
  if (user === undefined) return {};
  if (field === 'none') {
    context.dropped.add('user');
    return {};
  }
  const isLong = user.length > MAX_USER_LENGTH;
  return { [field]: isLong ? digestId(user) : user };
}
