import { omitUndefined } from '@mg/contract';
import type { Attempt } from '@mg/routing';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';
import type { HeldChat } from './prepare-chat.js';
import type { ChatAttempt } from './chat-attempt.js';
import { refuseUnpriced } from './refuse-unpriced.js';

/**
 * The client's own bytes, but for the model, the usage flag and the limits that the client did not set: what goes out is
 * what was held for.
 *
 * @throws GatewayError `invalid_request` for what the model has no price for.
 */
export function prepareNative({ traits }: ChatEndpoint, attempt: Attempt, chat: HeldChat): ChatAttempt {
  const { protocol, envelope, framing, body, showsUsage, cached } = chat.request;
  const { cap, toolUses, unpriced } = chat.hold;
  refuseUnpriced(unpriced, envelope.model);
  const forceUsage = envelope.stream && !envelope.includeUsage;
  const limited =
    toolUses === undefined ? body : (protocol.limitTools?.(body, envelope.parsed, toolUses) ?? body);
  return {
    body: protocol.editRequest(limited, envelope, {
      model: attempt.upstreamModel,
      forceUsage,
      cap: cap === undefined ? undefined : Math.min(cap, traits.maxOutputTokens ?? cap),
      ...omitUndefined({ cachedContent: cached?.upstreamName }),
      traits,
    }),
    dropped: undefined,
    readAnswer: (bytes, parsed) => ({
      bytes,
      usage: protocol.readAnswerUsage(parsed),
      get producedText() {
        return protocol.readProducedText(parsed);
      },
    }),
    createReader: () => protocol.createTap({ withholdUsage: forceUsage && !showsUsage, framing }),
  };
}
