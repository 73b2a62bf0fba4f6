import type { Model } from '@mg/contract';
import type { Plan } from '@mg/routing';
import type { CallSize } from '../call/bound-call.js';
import { findEndpoint } from '../call/channel-endpoint.js';
import type { ChatRequest } from './chat-call.js';

/** More than any provider that we know counts for one picture at full detail; those that count more tell it as a trait. */
const MOST_PICTURE_TOKENS = 16_384;
/** The longest context of any model that we know: stands for that of a model whose own nobody told us. */
const LONGEST_CONTEXT = 2_000_000;
/** The longest thoughts of any model whose cap of an answer does not count them. */
const MOST_THOUGHT_TOKENS = 81_920;
/** A header by which callers of Anthropic's models ask for a longer context than the usual one. */
const LONG_CONTEXT_BETA = /\bcontext-1m\b/;
const LONG_CONTEXT_TOKENS = 1_000_000;

/** How large a chat may become at the channels that it may go to. @throws GatewayError `invalid_request` */
export function sizeChat(request: ChatRequest, model: Model, plan: Pick<Plan, 'attempts'>): CallSize {
  const { protocol, envelope, body } = request;
  const demand = protocol.readDemand(body, envelope.parsed);
  const thoughts = findThoughtsBesideCap(request, plan) * envelope.choices;
  return {
    demand: thoughts === 0 ? demand : { ...demand, extraOutputTokens: demand.extraOutputTokens + thoughts },
    pictureTokens: demand.pictures === 0 ? 0 : findPictureTokens(request, plan),
    contextWindow: findWindow(request, model),
    windowKnown: model.contextWindow !== undefined,
    maxTokens: envelope.maxTokens,
    choices: envelope.choices,
  };
}

/** Tokens of thoughts that a channel of the plan may bill beside one answer, unless the caller limits them. */
function findThoughtsBesideCap(
  { protocol, envelope: { parsed } }: ChatRequest,
  { attempts }: Pick<Plan, 'attempts'>,
): number {
  const isBeside = attempts.some(({ channel, upstreamModel }) => {
    const traits = findEndpoint(channel, 'chat', upstreamModel, protocol.name)?.traits;
    return traits?.maxTokensOmitsThoughts === true && traits.maxTokensField !== 'max_completion_tokens';
  });
  if (!isBeside || parsed.enable_thinking === false || parsed.reasoning_effort === 'none') return 0;
  const { thinking_budget: budget } = parsed;
  return isTokenCount(budget) ? Math.min(budget, MOST_THOUGHT_TOKENS) : MOST_THOUGHT_TOKENS;
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function findWindow({ headers }: ChatRequest, { contextWindow = LONGEST_CONTEXT }: Model): number {
  const isLong = LONG_CONTEXT_BETA.test(String(headers['anthropic-beta'] ?? ''));
  return isLong ? Math.max(contextWindow, LONG_CONTEXT_TOKENS) : contextWindow;
}

function findPictureTokens({ protocol }: ChatRequest, { attempts }: Pick<Plan, 'attempts'>): number {
  const told = attempts.map(
    ({ channel, upstreamModel }) =>
      findEndpoint(channel, 'chat', upstreamModel, protocol.name)?.traits.pictureTokens ??
      MOST_PICTURE_TOKENS,
  );
  return told.length === 0 ? MOST_PICTURE_TOKENS : Math.max(...told);
}
