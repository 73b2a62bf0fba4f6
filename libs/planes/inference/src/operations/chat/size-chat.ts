import type { Model } from '@mg/contract';
import { type Demand, findUpstreamProtocol, type HostedTool } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import type { CallSize } from './bound-tokens.js';
import type { ChatEndpoints } from '../../call/chat-endpoints.js';
import type { ChatRequest } from './chat-request.js';

/** Upper bound of the tokens of one image at full detail; providers that count more set the trait `imageTokens`. */
const MOST_IMAGE_TOKENS = 16_384;
/** The longest context of any known model, for models without a `context_window`. */
const LONGEST_CONTEXT = 2_000_000;
/** A header by which callers of Anthropic's models ask for a longer context than the usual one. */
const LONG_CONTEXT_BETA = /\bcontext-1m\b/;
const LONG_CONTEXT_TOKENS = 1_000_000;

/** How large a chat may become at the channels that it may go to. @throws GatewayError `invalid_request` */
export function sizeChat(
  request: ChatRequest,
  model: Model,
  plan: Pick<Plan, 'attempts'>,
  endpoints: ChatEndpoints,
  unshownTokens = 0,
): CallSize {
  const { protocol, envelope, body } = request;
  const demand = protocol.readDemand(body, envelope.parsed);
  return {
    demand: {
      ...demand,
      // No token has less than a byte.
      textBytes: demand.textBytes + unshownTokens,
      tools: boundSearches(demand, request, plan, endpoints),
    },
    imageTokens: demand.images === 0 ? 0 : findImageTokens(request, plan, endpoints),
    contextWindow: findWindow(request, model),
    windowKnown: model.contextWindow !== undefined,
    maxTokens: envelope.maxTokens,
    choices: envelope.choices,
    uncappedReasoning: findUncappedReasoning(request, plan, endpoints) * envelope.choices,
  };
}

/** Tools of a request, with what its searches may come to at channels of the plan that search as often as they like. */
function boundSearches(
  { tools, hasFunctions }: Demand,
  { protocol }: ChatRequest,
  { attempts }: Pick<Plan, 'attempts'>,
  endpoints: ChatEndpoints,
): readonly HostedTool[] {
  if (protocol.searchAtWill || hasFunctions || !tools.some(mayBeAtWill)) return tools;
  const searches = attempts.map(({ channel, upstreamModel }) => {
    const endpoint = endpoints.find(channel, 'chat', upstreamModel, protocol.name);
    return endpoint && findUpstreamProtocol(endpoint.surface.protocol).searchAtWill;
  });
  const most = searches.find((search) => search !== undefined);
  if (!most) return tools;
  const atWill = { ...most, everywhere: searches.every((search) => search !== undefined) };
  return tools.map((tool) => (mayBeAtWill(tool) ? { ...tool, atWill } : tool));
}

function mayBeAtWill({ fee, isOfDomains }: HostedTool): boolean {
  return fee === 'per_web_search' && !isOfDomains;
}

/** Tokens of reasoning that a channel of the plan may bill beside one answer, unless the caller limits them. */
function findUncappedReasoning(
  { protocol, envelope: { parsed } }: ChatRequest,
  { attempts }: Pick<Plan, 'attempts'>,
  endpoints: ChatEndpoints,
): number {
  const bounds = attempts.map(({ channel, upstreamModel }) => {
    const endpoint = endpoints.find(channel, 'chat', upstreamModel, protocol.name);
    const upstream = endpoint && findUpstreamProtocol(endpoint.surface.protocol);
    return upstream?.boundUncappedReasoning?.(parsed, endpoint?.traits ?? {}) ?? 0;
  });
  return Math.max(0, ...bounds);
}

function findWindow({ headers }: ChatRequest, { contextWindow = LONGEST_CONTEXT }: Model): number {
  const isLong = LONG_CONTEXT_BETA.test(String(headers['anthropic-beta'] ?? ''));
  return isLong ? Math.max(contextWindow, LONG_CONTEXT_TOKENS) : contextWindow;
}

function findImageTokens(
  { protocol }: ChatRequest,
  { attempts }: Pick<Plan, 'attempts'>,
  endpoints: ChatEndpoints,
): number {
  const perChannel = attempts.map(
    ({ channel, upstreamModel }) =>
      endpoints.find(channel, 'chat', upstreamModel, protocol.name)?.traits.imageTokens ?? MOST_IMAGE_TOKENS,
  );
  return perChannel.length === 0 ? MOST_IMAGE_TOKENS : Math.max(...perChannel);
}
