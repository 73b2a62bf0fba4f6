import { omitUndefined } from '@mg/contract';
import type { Block, Turn } from '../canonical/blocks.js';
import { readEffort } from '../canonical/effort.js';
import { filterServerTools } from '../canonical/filter-server-tools.js';
import { refuseContent, refuseForChannel } from '../canonical/refuse.js';
import { reportForeignExtensions } from '../canonical/report-foreign-extensions.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Steps } from '../canonical/steps.js';
import type { JsonObject } from '../json.js';
import type { OpenAiCompletionsContext } from './traits.js';

const HOME = 'openai-completions';
const MAX_STOPS = 4;
const MAX_LOGPROBS = 5;
/** The protocol's own default of 16 would cut what a chat client expects whole. */
const LONG_ENOUGH_TOKENS = 1_024;

/**
 * Writes a text completion request out of what one user said. Models behind this protocol continue a text: they know no
 * turns, no tools and no other output, so everything of that kind is refused.
 *
 * @throws GatewayError where leaving something out would change the meaning.
 */
export function* encodeInSteps(
  request: CanonicalRequest,
  context: OpenAiCompletionsContext,
): Steps<JsonObject> {
  yield* reportForeignExtensions(request, HOME, context);
  refuseUnknown(request, context);
  reportHints(request, context);
  const { prompt, ...own } = request.ext[HOME] ?? {};
  return omitUndefined({
    model: context.upstreamModel,
    prompt: prompt ?? joinPrompt(request.turns, context),
    ...encodeStreaming(request, context),
    max_tokens: Math.min(
      request.maxTokens ?? LONG_ENOUGH_TOKENS,
      context.traits.maxOutputTokens ?? Number.POSITIVE_INFINITY,
    ),
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop.length > 0 ? request.stop : undefined,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    n: request.choices > 1 ? request.choices : undefined,
    logprobs: request.logprobs && Math.min(request.logprobs.top, MAX_LOGPROBS),
    user: request.user,
    ...own,
  });
}

function refuseUnknown(request: CanonicalRequest, context: OpenAiCompletionsContext): void {
  filterServerTools(request, HOME, context);
  if (request.tools.length > 0) refuseForChannel('tools', 'it calls no tools', context);
  if (request.output) refuseForChannel('response_format', 'it answers with plain text', context);
  if (request.stop.length > MAX_STOPS) {
    refuseForChannel('stop', `it takes at most ${MAX_STOPS} stop sequences`, context);
  }
}

function reportHints(request: CanonicalRequest, context: OpenAiCompletionsContext): void {
  const { dropped } = context;
  if (request.topK !== undefined) dropped.add('top_k');
  if (request.parallelToolCalls !== undefined) dropped.add('parallel_tool_calls');
  if (request.serviceTier !== undefined) dropped.add('service_tier');
  if (request.reasoning && readEffort(request.reasoning) !== 'none') dropped.add('thinking');
  if ((request.logprobs?.top ?? 0) > MAX_LOGPROBS) dropped.add('top_logprobs');
}

/** What the system and then the user say, as one text. */
function joinPrompt(turns: readonly Turn[], context: OpenAiCompletionsContext): string {
  const odd = turns.find(({ role }, index) => role !== 'system' && (role !== 'user' || turns[index + 1]));
  if (odd) return refuseContent(odd, 'it continues one text and knows no conversation', context);
  const blocks = turns.flatMap((turn) => turn.blocks);
  const text = blocks.map((block) => readText(block, context)).filter((part) => part !== '');
  return text.length > 0
    ? text.join('\n\n')
    : refuseForChannel('messages', 'there is no text to continue', context);
}

function readText(block: Block, context: OpenAiCompletionsContext): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'media' && block.source.type === 'text') return block.source.text;
  return refuseContent(block.type === 'media' ? block.source : block, 'it takes nothing but text', context);
}

function encodeStreaming(request: CanonicalRequest, context: OpenAiCompletionsContext): JsonObject {
  if (!request.stream) return {};
  return context.traits.supportsStreamUsage === false
    ? { stream: true }
    : { stream: true, stream_options: { include_usage: true } };
}
