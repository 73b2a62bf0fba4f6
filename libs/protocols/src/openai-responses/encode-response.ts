import type { ReplyContext } from '../canonical/codec.js';
import { EventWriter } from '../canonical/event-writer.js';
import { replayReply } from '../canonical/replay-reply.js';
import type { CanonicalReply } from '../canonical/reply.js';
import type { JsonObject } from '../json.js';
import { ResponsesStreamEncoder } from './encode-stream.js';

/** Writes a whole response: the one that its stream would end in. */
export function encodeResponsesReply(reply: CanonicalReply, context: ReplyContext): JsonObject {
  const events = new EventWriter();
  replayReply(reply, events);
  const encoder = new ResponsesStreamEncoder(context, { writesEvents: false });
  for (const event of events.take()) encoder.encode(event);
  return encoder.response ?? {};
}
