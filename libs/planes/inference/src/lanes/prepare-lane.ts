import { refuseUpstreamRouting } from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChannelEndpoint } from '../call/channel-endpoint.js';
import type { ChatCall, ChatRequest } from '../chat/chat-call.js';
import { prepareCanonical } from './canonical-lane.js';
import type { MediaFetching } from './inline-media.js';
import type { Lane } from './lane.js';
import { prepareNative } from './native-lane.js';

/**
 * Two lanes, no third: where the channel speaks the client's protocol the bytes go through untouched, otherwise
 * through the canonical form. So do conversations with turns of another provider, which left signatures in them that
 * are no other's, and calls in words that a look-alike does not know.
 *
 * @throws GatewayError `invalid_request` where the channel's protocol cannot carry what was asked.
 */
export function prepareLane(
  endpoint: ChannelEndpoint,
  attempt: Attempt,
  chat: ChatCall,
  fetching: MediaFetching,
): Lane | Promise<Lane> {
  // Fields of the client's own protocol reach such a channel in either lane.
  const speaksAlike = endpoint.surface.protocol === chat.request.protocol.name;
  if (speaksAlike && endpoint.traits.upstreamRouting !== true) {
    refuseUpstreamRouting(chat.request.envelope.parsed);
  }
  return isNative(endpoint, attempt, chat.request)
    ? prepareNative(endpoint, attempt, chat)
    : prepareCanonical(endpoint, attempt, chat, fetching);
}

/** Whether a channel may have the client's own bytes. */
export function isNative(
  { surface, traits }: ChannelEndpoint,
  { upstreamModel }: Attempt,
  { protocol, body, envelope }: ChatRequest,
): boolean {
  if (surface.protocol !== protocol.name || protocol.needsOtherWords?.(envelope.parsed, traits)) return false;
  return !protocol.holdsForeignTurns(body, envelope.parsed, { upstreamModel, traits });
}
