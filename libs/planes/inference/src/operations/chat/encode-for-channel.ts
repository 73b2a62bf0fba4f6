import type { Channel } from '@mg/contract';
import {
  type CanonicalRequest,
  type ChatProtocol,
  type Dropped,
  findUpstreamProtocol,
  type JsonObject,
  type Steps,
} from '@mg/protocols';
import type { ChatEndpoint } from '../../call/chat-endpoints.js';

/** A channel that a chat is written for, and where fields that it cannot carry are reported. */
export interface EncodingTarget {
  readonly endpoint: ChatEndpoint;
  readonly channel: Pick<Channel, 'type'>;
  readonly upstreamModel: string;
  /** Protocol of the client, whose names of fields are used. */
  readonly client: ChatProtocol;
  readonly dropped: Dropped;
}

/**
 * A chat in the protocol of a channel, in steps.
 *
 * @throws GatewayError `invalid_request` naming the field that the channel cannot carry.
 */
export function encodeForChannel(
  request: CanonicalRequest,
  { endpoint, channel, upstreamModel, client, dropped }: EncodingTarget,
): Steps<JsonObject> {
  const { surface, traits } = endpoint;
  return findUpstreamProtocol(surface.protocol).codec.encodeInSteps(request, {
    upstreamModel,
    channelType: channel.type,
    traits,
    client,
    dropped,
  });
}
