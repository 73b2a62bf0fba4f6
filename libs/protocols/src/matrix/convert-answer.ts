import type { StreamDecoder } from '../canonical/codec.js';
import { EventWriter } from '../canonical/event-writer.js';
import type { CanonicalEvent } from '../canonical/events.js';
import { replayReply } from '../canonical/replay-reply.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { findCodec } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { ALL_WIRES, type AnswerRow, type Wire, WIRES } from './row.js';

/** What answers say of themselves. */
const IDENTITIES: Readonly<Record<Wire, JsonObject>> = {
  chat: { id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'm' },
  responses: { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm' },
  completions: { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model: 'm' },
  messages: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  gemini: { modelVersion: 'm', responseId: 'r1' },
  converse: {},
};
const CONTEXT = { model: 'm', includeUsage: true } as const;

/** The upstreams that have words for the concept of a row. */
export function listUpstreams(row: AnswerRow): readonly Wire[] {
  return ALL_WIRES.filter((wire) => (row.from?.[wire] ?? row.said?.[wire]) !== undefined);
}

/** The clients of whose answers a row says something. */
export function listReaders(row: AnswerRow): readonly Wire[] {
  return ALL_WIRES.filter((wire) => (row.to?.[wire] ?? row.said?.[wire]) !== undefined);
}

function readAnswer(row: AnswerRow, upstream: Wire): CanonicalReply {
  const answer = row.from?.[upstream] ?? row.said?.[upstream];
  return findCodec(WIRES[upstream]).decodeReply({ ...IDENTITIES[upstream], ...answer });
}

/** The whole answer of an upstream as a client gets it. */
export function convertAnswer(row: AnswerRow, upstream: Wire, client: Wire): JsonObject {
  const encoded = findCodec(WIRES[client]).encodeReply(readAnswer(row, upstream), CONTEXT);
  return JSON.parse(JSON.stringify(encoded)) as JsonObject;
}

/** The same as a stream, read as the client would read it. */
export function streamAnswer(row: AnswerRow, upstream: Wire, client: Wire): readonly CanonicalEvent[] {
  const events = writeEvents(readAnswer(row, upstream), upstream);
  return writeEvents(events, client);
}

/** Events as a protocol writes them and then reads them again. */
export function writeEvents(
  answer: CanonicalReply | readonly CanonicalEvent[],
  wire: Wire,
): readonly CanonicalEvent[] {
  const codec = findCodec(WIRES[wire]);
  const encoder = codec.createStreamEncoder(CONTEXT);
  const events = 'choices' in answer ? listEvents(answer) : answer;
  return readStream(codec.createStreamDecoder(), events.map((event) => encoder.encode(event)).join(''));
}

/** A whole answer as the events of a stream. */
export function listEvents(reply: CanonicalReply): readonly CanonicalEvent[] {
  const writer = new EventWriter();
  replayReply(reply, writer);
  return writer.take();
}

function readStream(decoder: StreamDecoder, text: string): readonly CanonicalEvent[] {
  return [...decoder.push(Buffer.from(text)), ...decoder.end()];
}
