import { omitUndefined } from '@mg/contract';
import { readBudget, readEffort } from '../canonical/effort.js';
import { nearestEffort } from '../canonical/nearest-effort.js';
import { readObject } from '../canonical/read-fields.js';
import { refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest, ReasoningEffort, ReasoningRequest } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';
import { encodeContents } from './encode-contents.js';
import { encodeTools, needsOutputTool } from './encode-tools.js';
import { toGeminiSchema } from './schema.js';
import type { GeminiGenerateContext } from './traits.js';

/** Budgets of thinking, in tokens, and levels that a model takes of which no trait says more. */
const USUAL_BUDGET = { min: 0, max: 24_576 };
const USUAL_LEVELS: readonly ReasoningEffort[] = ['minimal', 'low', 'medium', 'high'];
const MAX_STOPS = 5;
const MAX_CANDIDATES = 8;
const TIERS: Readonly<Record<string, string | undefined>> = {
  auto: undefined,
  default: undefined,
  flex: 'flex',
  priority: 'priority',
};

/**
 * Writes a request of `generateContent`; model and streaming are the path's business.
 *
 * @throws GatewayError `invalid_request` where leaving something out would change the meaning.
 */
export function* encodeInSteps(request: CanonicalRequest, context: GeminiGenerateContext): Steps<JsonObject> {
  yield* reportForeignExtensions(request, 'gemini-generate', context);
  const { systemInstruction, contents } = yield* encodeContents(request.turns, context);
  const generationConfig = encodeConfig(request, context);
  if (request.user !== undefined) context.dropped.add('user');
  const body = omitUndefined({
    contents,
    systemInstruction,
    ...encodeTools(request, context),
    generationConfig: Object.keys(generationConfig).length === 0 ? undefined : generationConfig,
    serviceTier: encodeTier(request.serviceTier, context),
  });
  for (const [name, value] of Object.entries(request.ext['gemini-generate'] ?? {}))
    placeField(body, name, value);
  return body;
}

function encodeTier(tier: string | undefined, context: GeminiGenerateContext): string | undefined {
  if (tier === undefined) return undefined;
  if (!Object.hasOwn(TIERS, tier)) context.dropped.add('service_tier');
  return Object.hasOwn(TIERS, tier) ? TIERS[tier] : undefined;
}

/** Puts a field that was kept under its dotted name back where it stood. */
function placeField(body: JsonObject, name: string, value: unknown): void {
  const [parent, ...rest] = name.split('.');
  const isNested = rest.length > 0 && (parent === 'generationConfig' || parent === 'toolConfig');
  if (!isNested || parent === undefined) {
    body[name] = value;
    return;
  }
  const inner = isObject(body[parent]) ? body[parent] : (body[parent] = {});
  const [first, second] = rest;
  if (first === 'functionCallingConfig' && second !== undefined) {
    inner[first] = { ...readObject(inner[first]), [second]: value };
  } else inner[rest.join('.')] = value;
}

function encodeConfig(request: CanonicalRequest, context: GeminiGenerateContext): JsonObject {
  const stop = request.stop.filter((text) => text !== '');
  if (stop.length > MAX_STOPS)
    refuseForChannel('stop', `it takes at most ${MAX_STOPS} stop sequences`, context);
  if (request.choices > MAX_CANDIDATES)
    refuseForChannel('n', `it gives at most ${MAX_CANDIDATES} answers`, context);
  const { maxTokens } = request;
  if (maxTokens === 0) refuseForChannel('max_tokens', 'it cannot answer with no tokens', context);
  const longest = context.traits.maxOutputTokens ?? Infinity;
  return omitUndefined({
    maxOutputTokens: maxTokens === undefined ? undefined : Math.min(maxTokens, longest),
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: stop.length === 0 ? undefined : stop,
    seed: request.seed,
    presencePenalty: request.presencePenalty,
    frequencyPenalty: request.frequencyPenalty,
    candidateCount: request.choices === 1 ? undefined : request.choices,
    ...omitUndefined({
      responseLogprobs: request.logprobs ? true : undefined,
      logprobs: request.logprobs?.top,
    }),
    thinkingConfig: request.reasoning && encodeThinking(request.reasoning, context),
    ...encodeOutput(request, context),
  });
}

function encodeThinking(reasoning: ReasoningRequest, context: GeminiGenerateContext): JsonObject | undefined {
  const { efforts, supportsThinkingLevels, thinkingBudget = USUAL_BUDGET } = context.traits;
  const effort = readEffort(reasoning);
  if (efforts?.length === 0) {
    if (effort !== 'none') context.dropped.add('thinking');
    return undefined;
  }
  const config = supportsThinkingLevels
    ? { thinkingLevel: effort && nearestEffort(effort, efforts ?? USUAL_LEVELS)?.toUpperCase() }
    : { thinkingBudget: chooseBudget(reasoning, thinkingBudget) };
  const includeThoughts = reasoning.show ?? (effort === 'none' ? undefined : true);
  const encoded = omitUndefined({ includeThoughts, ...config });
  return Object.keys(encoded).length === 0 ? undefined : encoded;
}

/** Tokens within what the model takes; -1 lets it decide. */
function chooseBudget(
  reasoning: ReasoningRequest,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const budget = readBudget(reasoning);
  if (budget === undefined) return reasoning.adaptive ? -1 : undefined;
  return Math.min(Math.max(budget, min), max);
}

function encodeOutput(request: CanonicalRequest, context: GeminiGenerateContext): JsonObject {
  const { output } = request;
  if (!output) return {};
  if (needsOutputTool(request, context)) {
    if (output.type === 'schema' && output.schema.type === 'object') return {};
    refuseForChannel(
      'response_format',
      `beside tools the model ${context.upstreamModel} gives JSON only by the schema of an object`,
      context,
    );
  }
  if (output.type === 'json') return { responseMimeType: 'application/json' };
  return {
    responseMimeType: 'application/json',
    responseJsonSchema: toGeminiSchema(output.schema, 'response_format.schema', context.dropped),
  };
}
