import { GatewayError } from '@mg/contract';
import { refuseUpstreamRouting } from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import type { ChatHold } from './bound-chat.js';
import type { ChatRequest } from './chat-request.js';
import { prepareConverted } from './prepare-converted.js';
import type { MediaFetching } from '../../call/fetch-media.js';
import type { ChatAttempt } from './chat-attempt.js';
import { prepareNative } from './prepare-native.js';

/** A chat that money is held for. */
export interface HeldChat {
  readonly request: ChatRequest;
  readonly hold: ChatHold;
  /** Whether nothing of it may be kept, neither here nor upstream. */
  readonly keepsNothing: boolean;
}

/**
 * Where the channel speaks the client's protocol, the client's bytes are sent as they are (the native lane); otherwise the
 * request is converted through the canonical form. Conversations with signed turns of another provider, and calls that use
 * fields which a compatible provider does not know, are converted too.
 *
 * @throws GatewayError `invalid_request` where the channel's protocol cannot carry what was asked.
 */
export function prepareChat(
  endpoint: ChatEndpoint,
  attempt: Attempt,
  chat: HeldChat,
  fetching: MediaFetching,
): ChatAttempt | Promise<ChatAttempt> {
  // Fields of the client's own protocol reach such a channel in either lane.
  const speaksAlike = endpoint.surface.protocol === chat.request.protocol.name;
  if (speaksAlike && endpoint.traits.allowsUpstreamRouting !== true) {
    refuseUpstreamRouting(chat.request.envelope.parsed);
  }
  const goesAsIs = isNative(endpoint, chat.request);
  if (chat.request.cached && !goesAsIs) refuseCached();
  return goesAsIs
    ? prepareNative(endpoint, attempt, chat)
    : prepareConverted(endpoint, attempt, chat, fetching);
}

/** Turns that other providers have signed are rewritten, and what an upstream keeps goes with the client's own bytes alone. */
function refuseCached(): never {
  throw new GatewayError(
    'invalid_request',
    'cachedContent cannot be used in a conversation with turns of another provider.',
    { param: 'cachedContent' },
  );
}

/** Whether a channel may have the client's own bytes. */
export function isNative(
  { surface, traits }: ChatEndpoint,
  { protocol, body, envelope }: ChatRequest,
): boolean {
  if (surface.protocol !== protocol.name) return false;
  if (protocol.requiresConversion?.(envelope.parsed, traits)) return false;
  return !protocol.hasForeignTurns(body, envelope.parsed, traits);
}
