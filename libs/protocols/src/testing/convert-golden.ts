import type { Codec } from '../canonical/codec.js';
import { nameField } from '../canonical/name-field.js';
import type { CanonicalRequest } from '../canonical/request.js';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { attempt, type Golden, readJson, readModel, readTraits, toPlain } from './read-goldens.js';

/** What a channel is asked, and what is left out, in the encoder's words and in the client's. */
export interface ConvertedRequest {
  readonly body: JsonObject;
  readonly left: readonly string[];
  readonly dropped: readonly string[];
}

/** The request of a golden; `refused` where its own protocol does not take it. */
export function decodeGolden(golden: Golden): CanonicalRequest | { readonly refused: JsonObject } {
  const body = readJson(golden, 'request.json');
  return attempt(() => golden.codec.decodeRequest(body, readModel(body), body.stream === true));
}

/** A request as a channel of a protocol is asked it, or how it is refused. */
export function convertRequest(
  request: CanonicalRequest,
  { golden, to, traits }: { golden: Golden; to: Codec; traits?: object },
): ConvertedRequest | { readonly refused: JsonObject } {
  const client = findUpstreamProtocol(golden.codec.name);
  const left = new Set<string>();
  return attempt(() => {
    const body = to.encodeRequest(request, {
      upstreamModel: 'upstream-model',
      channelType: 'some-channel',
      traits: { ...traits, ...readTraits(golden) },
      client,
      dropped: { add: (field) => void left.add(field) },
    });
    const dropped = new Set(Array.from(left, (field) => nameField(field, client)));
    return { body: toPlain(body) as JsonObject, left: [...left], dropped: [...dropped].sort() };
  });
}
