import type { JsonObject } from '../json.js';
import type { ProtocolName } from './blocks.js';
import type { CanonicalEvent } from './events.js';
import type { ModelTraits } from './model-traits.js';
import type { CanonicalReply } from './reply.js';
import type { CanonicalRequest } from './request.js';
import type { Steps } from './steps.js';
import type { ToolOrigin } from './tool-origin.js';

/** Collects what a conversion had to leave out. */
export interface Dropped {
  /** @param field as OpenAI's chat names it, such as `seed`, or as the client does: {@link nameField} gives the client's name. */
  add(field: string): void;
}

/** What converting a request must know of the protocol that it came in. */
export interface SourceFormat {
  readonly name: ProtocolName;
  /** What clients call the settings that encoders name as OpenAI's chat does, where they call them otherwise. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /**
   * Fields of its own that no other protocol can be asked for, and whether a value asks for anything at all: leaving
   * them out would change the meaning.
   */
  readonly bindingFields: Readonly<Record<string, (value: unknown) => boolean>>;
  /** Members of blocks and tools that mark the end of what is to be cached. */
  readonly cacheMarks: readonly string[];
}

/** The model that a request goes to. */
export interface Target<Traits extends ModelTraits = ModelTraits> {
  readonly upstreamModel: string;
  readonly traits: Traits;
}

export interface EncodeContext<Traits extends ModelTraits = ModelTraits> extends Target<Traits> {
  /** The protocol that the request came in. */
  readonly client: SourceFormat;
  /** Provider type, for sentences. */
  readonly channelType: string;
  readonly dropped: Dropped;
}

export interface ReplyContext {
  /** The name the client asked for: answers carry it. */
  readonly model: string;
  readonly includeUsage: boolean;
  /** Whether the client wants to see reasoning, where its protocol lets it say so; signatures travel either way. */
  readonly showReasoning?: boolean;
  /** Clients of OpenAI's deprecated `functions` are given one `function_call` instead of `tool_calls`. */
  readonly functionCalls?: boolean;
  /** Gemini clients that do not ask for `alt=sse` get a JSON array; everyone else gets server-sent events. */
  readonly framing?: 'sse' | 'json-array';
  /** How the client declared tools that the upstream knows by another name, by that name. */
  readonly toolOrigins?: ReadonlyMap<string, ToolOrigin>;
  /** Settings of the request that the client's protocol repeats in its answers. */
  readonly repeated?: JsonObject;
}

/** Turns bytes of an upstream's stream into canonical events. One object for one stream. */
export interface StreamDecoder {
  push(chunk: Buffer): CanonicalEvent[];
  /** The upstream's connection has ended; a reply that was not whole becomes a fault. */
  end(): CanonicalEvent[];
  /** As `push`; a large event is read in steps, with a pause between two of them. Nothing may be pushed meanwhile. */
  pushInSteps(chunk: Buffer, pause: () => Promise<void>): CanonicalEvent[] | Promise<CanonicalEvent[]>;
  endInSteps(pause: () => Promise<void>): CanonicalEvent[] | Promise<CanonicalEvent[]>;
}

/** Turns canonical events into bytes of the client's stream. One object for one stream. */
export interface StreamEncoder {
  encode(event: CanonicalEvent): string;
  /** What is written once more, or only, at the end of a block or an answer; left out where everything is written as it comes. */
  readonly late?: LateWriter;
}

/** Writes in steps what would take long in one, since much of it came piece by piece before. */
export interface LateWriter {
  /** Whether an event is one at which much is written. */
  isLong(event: CanonicalEvent): boolean;
  /** As `encode`. @param pause is waited for between two steps; nothing else may be encoded meanwhile. */
  encode(event: CanonicalEvent, pause: () => Promise<void>): Promise<readonly Buffer[]>;
}

/** One wire format in all directions. */
export interface Codec<Traits extends ModelTraits = ModelTraits> {
  readonly name: ProtocolName;
  /** @throws GatewayError `invalid_request` naming the field. */
  decodeRequest(body: JsonObject, model: string, stream: boolean): CanonicalRequest;
  /** The same in steps: a conversation may have thousands of turns. */
  decodeInSteps(body: JsonObject, model: string, stream: boolean): Steps<CanonicalRequest>;
  /** @throws GatewayError `invalid_request` where leaving something out would change the meaning. */
  encodeRequest(request: CanonicalRequest, context: EncodeContext<Traits>): JsonObject;
  /** The same in steps. */
  encodeInSteps(request: CanonicalRequest, context: EncodeContext<Traits>): Steps<JsonObject>;
  decodeReply(body: JsonObject): CanonicalReply;
  /** The same in steps, where the places of thousands of citations take long to find. */
  decodeReplyInSteps?(body: JsonObject): Steps<CanonicalReply>;
  encodeReply(reply: CanonicalReply, context: ReplyContext): JsonObject;
  /** The same in steps, where thousands of citations take long. */
  encodeReplyInSteps?(reply: CanonicalReply, context: ReplyContext): Steps<JsonObject>;
  createStreamDecoder(): StreamDecoder;
  createStreamEncoder(context: ReplyContext): StreamEncoder;
}
