import { nameField } from '../canonical/name-field.js';
import { findCodec, findUpstreamProtocol, type ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';

/** A client's request as a channel of a protocol is asked it, and what of it was left out. */
export function encodeFor(
  from: ProtocolName,
  to: ProtocolName,
  body: JsonObject,
  traits: object = {},
): { readonly body: JsonObject; readonly dropped: readonly string[] } {
  const client = findUpstreamProtocol(from);
  const dropped = new Set<string>();
  const request = findCodec(from).decodeRequest(body, 'm', body.stream === true);
  const encoded = findCodec(to).encodeRequest(request, {
    upstreamModel: 'upstream-model',
    channelType: 'some-channel',
    traits,
    client,
    dropped: { add: (field) => void dropped.add(nameField(field, client)) },
  });
  return { body: JSON.parse(JSON.stringify(encoded)) as JsonObject, dropped: [...dropped].sort() };
}
