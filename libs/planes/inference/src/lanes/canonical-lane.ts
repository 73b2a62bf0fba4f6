import {
  type CanonicalRequest,
  ConvertingStream,
  cutReply,
  findUntoldStops,
  findUpstreamProtocol,
  keepIntegers,
  type ReplyContext,
} from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChannelEndpoint } from '../call/channel-endpoint.js';
import { DroppedFields } from '../call/dropped-fields.js';
import type { ChatCall, ChatRequest } from '../chat/chat-call.js';
import { inlineMedia, listUrlsToFetch, type MediaFetching } from './inline-media.js';
import type { Lane } from './lane.js';

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
  if (urls.length === 0) return convert(decoded, endpoint, attempt, chat);
  return inlineMedia(decoded, urls, fetching).then((inlined) => convert(inlined, endpoint, attempt, chat));
}

function convert(
  decoded: CanonicalRequest,
  endpoint: ChannelEndpoint,
  attempt: Attempt,
  chat: ChatCall,
): Lane {
  const { surface, traits } = endpoint;
  const { request, hold } = chat;
  const client = request.protocol.codec;
  const upstream = findUpstreamProtocol(surface.protocol);
  const dropped = new DroppedFields(client.name);
  const asked = hold.cap === undefined ? decoded : { ...decoded, maxTokens: hold.cap };
  const body = upstream.codec.encodeRequest(asked, {
    client: client.name,
    upstreamModel: attempt.upstreamModel,
    channelType: attempt.channel.type,
    traits,
    dropped,
  });
  if (!dropped.isEmpty && request.headers['x-gateway-strict'] === '1') {
    throw dropped.toRefusal(attempt.channel.type);
  }
  const context: ReplyContext = {
    model: request.envelope.model,
    includeUsage: request.envelope.includeUsage,
    showReasoning: request.envelope.showReasoning ?? true,
    functionCalls: request.envelope.functionCalls ?? false,
    framing: request.framing,
  };
  const stops = findUntoldStops(asked, surface.protocol, traits);
  return {
    body: Buffer.from(JSON.stringify(body)),
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
  };
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
