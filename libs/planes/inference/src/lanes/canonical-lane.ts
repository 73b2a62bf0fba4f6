import { coversMeter } from '@mg/pricing';
import {
  type CanonicalRequest,
  ConvertingStream,
  cutReply,
  findUntoldStops,
  findUpstreamProtocol,
  type JsonObject,
  keepIntegers,
  listToolOrigins,
  type ProtocolName,
  readTier,
  type ReplyContext,
  stringifyInSlices,
  type UpstreamProtocol,
} from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChannelEndpoint } from '../call/channel-endpoint.js';
import { DroppedFields } from '../call/dropped-fields.js';
import type { ChatHold } from '../call/reserve.js';
import type { ChatCall, ChatRequest } from '../chat/chat-call.js';
import { isHeavy, nextTurn } from '../http/loop-turns.js';
import { inlineMedia, listUrlsToFetch, type MediaFetching } from './inline-media.js';
import type { Lane } from './lane.js';
import { refuseUnpriced } from './refuse-unpriced.js';

const DECODED = new WeakMap<ChatRequest, CanonicalRequest>();

/**
 * Out of the client's protocol into the canonical form, out of that into the channel's, and back. Media that the client
 * names by URL and the channel takes only as bytes are fetched first.
 */
export function prepareCanonical(
  endpoint: ChannelEndpoint,
  attempt: Attempt,
  chat: ChatCall,
  fetching: MediaFetching,
): Lane | Promise<Lane> {
  const decoded = decodeOnce(chat.request);
  const urls = fetching.enabled ? listUrlsToFetch(decoded, endpoint.surface.protocol, endpoint.traits) : [];
  if (urls.length > 0) {
    return inlineMedia(decoded, urls, fetching).then((inlined) =>
      convertInSteps(inlined, endpoint, attempt, chat),
    );
  }
  if (isHeavy(chat.request.body.length)) return convertInSteps(decoded, endpoint, attempt, chat);
  const { encoded, finish } = convert(decoded, endpoint, attempt, chat);
  return finish(Buffer.from(JSON.stringify(encoded)));
}

/** What is large is written in steps, so that it does not hold up every other call. */
async function convertInSteps(...facts: Parameters<typeof convert>): Promise<Lane> {
  await nextTurn();
  const { encoded, finish } = convert(...facts);
  return finish(await stringifyInSlices(encoded, nextTurn));
}

interface Converted {
  readonly encoded: unknown;
  /** @param body the encoded request as JSON. */
  finish(body: Buffer): Lane;
}

function convert(
  decoded: CanonicalRequest,
  endpoint: ChannelEndpoint,
  attempt: Attempt,
  chat: ChatCall,
): Converted {
  const { surface, traits } = endpoint;
  const { request, hold } = chat;
  const client = request.protocol.codec;
  const upstream = findUpstreamProtocol(surface.protocol);
  const dropped = new DroppedFields(client.name);
  const priced = keepPriced(decoded, surface.protocol, chat);
  const asked = hold.cap === undefined ? priced : { ...priced, maxTokens: hold.cap };
  const encoded = upstream.codec.encodeRequest(asked, {
    client: client.name,
    upstreamModel: attempt.upstreamModel,
    channelType: attempt.channel.type,
    traits,
    dropped,
  });
  refuseUnpricedTier(encoded, chat);
  if (!dropped.isEmpty && request.headers['x-gateway-strict'] === '1') {
    throw dropped.toRefusal(attempt.channel.type);
  }
  const toolOrigins = listToolOrigins(asked.tools);
  const context: ReplyContext = {
    model: request.envelope.model,
    includeUsage: request.envelope.includeUsage,
    showReasoning: request.envelope.showReasoning ?? true,
    functionCalls: request.envelope.functionCalls ?? false,
    framing: request.framing,
    ...(toolOrigins ? { toolOrigins } : {}),
  };
  const stops = findUntoldStops(asked, surface.protocol, traits);
  const finish = (body: Buffer): Lane => ({
    body: limitSearches(upstream, body, encoded, hold),
    dropped: dropped.isEmpty ? undefined : dropped,
    readAnswer: (bytes, parsed) => {
      const reply = cutReply(upstream.codec.decodeReply(keepIntegers(bytes, parsed)), stops);
      return {
        bytes: Buffer.from(JSON.stringify(client.encodeReply(reply, context))),
        usage: upstream.readAnswerUsage(parsed),
        get producedText() {
          return upstream.readProducedText(parsed);
        },
      };
    },
    createReader: () => new ConvertingStream(upstream.codec, client, context, stops),
  });
  return { encoded, finish };
}

/**
 * The request without searches that the model has no price for: they are left out where another protocol would have had
 * them. Where the protocol stays the same, its tools would go along as they are.
 *
 * @throws GatewayError `invalid_request` where nothing of the kind may be left out.
 */
function keepPriced(
  decoded: CanonicalRequest,
  protocol: ProtocolName,
  { request, hold }: ChatCall,
): CanonicalRequest {
  const tools = hold.unpriced.filter(({ kind }) => kind === 'tool');
  if (tools.length === 0) return decoded;
  if (protocol === request.protocol.name || decoded.serverTools.some(({ required }) => required)) {
    refuseUnpriced(tools, request.envelope.model);
  }
  if (coversMeter(hold.price.price, 'per_web_search')) return decoded;
  return { ...decoded, serverTools: decoded.serverTools.map(({ search: _search, ...tool }) => tool) };
}

function refuseUnpricedTier(body: JsonObject, { request, hold }: ChatCall): void {
  if (readTier(body.service_tier ?? body.serviceTier, '') === undefined) return;
  const tiers = hold.unpriced.filter(({ kind }) => kind === 'tier');
  refuseUnpriced(tiers, request.envelope.model);
}

/** A search that became the channel's own is used no more often than was held for. */
function limitSearches(
  upstream: UpstreamProtocol,
  body: Buffer,
  encoded: JsonObject,
  { toolUses = 1, demand }: ChatHold,
): Buffer {
  if (demand.tools.length === 0 || !upstream.limitTools) return body;
  const limits = demand.tools
    .filter(({ fee }) => fee === 'per_web_search')
    .map(({ uses = toolUses, rounds = uses }) => Math.min(uses, rounds));
  return upstream.limitTools(
    body,
    encoded,
    limits.length === 0 ? toolUses : Math.max(1, Math.min(...limits)),
  );
}

/** Another channel is asked out of the client's own request, never out of one that was encoded for the first. */
function decodeOnce(request: ChatRequest): CanonicalRequest {
  let decoded = DECODED.get(request);
  if (!decoded) {
    const { envelope } = request;
    const parsed = keepIntegers(request.body, envelope.parsed);
    decoded = request.protocol.codec.decodeRequest(parsed, envelope.model, envelope.stream);
    DECODED.set(request, decoded);
  }
  return decoded;
}
