import type { Model } from '@mg/contract';
import type { Plan } from '@mg/routing';
import type { CallSize } from '../call/bound-call.js';
import { findEndpoint } from '../call/channel-endpoint.js';
import type { ChatRequest } from './chat-call.js';

/** More than any provider that we know counts for one picture at full detail; those that count more tell it as a trait. */
const MOST_PICTURE_TOKENS = 16_384;
/** The longest context of any model that we know: stands for that of a model whose own nobody told us. */
const LONGEST_CONTEXT = 2_000_000;
/** A header by which callers of Anthropic's models ask for a longer context than the usual one. */
const LONG_CONTEXT_BETA = /\bcontext-1m\b/;
const LONG_CONTEXT_TOKENS = 1_000_000;

/** How large a chat may become at the channels that it may go to. @throws GatewayError `invalid_request` */
export function sizeChat(request: ChatRequest, model: Model, plan: Pick<Plan, 'attempts'>): CallSize {
  const { protocol, envelope, body } = request;
  const demand = protocol.readDemand(body, envelope.parsed);
  return {
    demand,
    pictureTokens: demand.pictures === 0 ? 0 : findPictureTokens(request, plan),
    contextWindow: findWindow(request, model),
    windowKnown: model.contextWindow !== undefined,
    maxTokens: envelope.maxTokens,
    choices: envelope.choices,
  };
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
