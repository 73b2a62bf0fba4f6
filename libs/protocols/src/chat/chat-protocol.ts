import type { GatewayError, Usage } from '@mg/contract';
import type { ClientProtocolName, MediaKind } from '../canonical/blocks.js';
import type { Codec, SourceFormat } from '../canonical/codec.js';
import type { NotedLogprobs } from '../canonical/logprobs.js';
import type { TextForm } from '../canonical/media-in-slices.js';
import type { ModelTraits } from '../canonical/model-traits.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { NotedSchemas } from '../canonical/schema-pass.js';
import type { Steps } from '../canonical/steps.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import type { UpstreamError } from '../canonical/upstream-error.js';
import type { StoredBytes } from '../exchange/stored-bytes.js';
import type { JsonObject } from '../json.js';
import type { ChatEnvelope } from './chat-envelope.js';
import type { ConversationMemory } from './conversation-memory.js';
import type { Demand, SearchAtWill } from './demand.js';
import type { FileReferences } from './file-references.js';

export type Framing = 'sse' | 'json-array';

/** What a stream may begin with while the rest of it is made, which then comes in one piece. */
export interface StreamOpening {
  /** Its first events, as they stand at the beginning of the whole stream. */
  readonly events: string;
  /** The event by which it ends where nothing comes of it, as `renderFailure` takes it. */
  readonly failed: JsonObject;
}

/** What a call's address says beside its body. */
export interface CallAddress {
  /** Model in the path, where the protocol names it there. */
  readonly model?: string;
  /** Method in the path, such as `streamGenerateContent`. */
  readonly method?: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** A chat request that was read: what the gateway must know of it, and how the client wants its stream framed. */
export interface ReadCall {
  readonly envelope: ChatEnvelope;
  readonly framing: Framing;
}

/** What may change in a request that is otherwise forwarded byte for byte. */
export interface NativeEdits<Traits extends ModelTraits = ModelTraits> {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Ask the stream to report usage, where the client did not and the protocol does not by itself. */
  readonly forceUsage: boolean;
  /** Cap on the answer of a caller who set none, in tokens. */
  readonly cap: number | undefined;
  /** What the upstream calls the cached content that the request goes on from, where it names one of ours. */
  readonly cachedContent?: string | undefined;
  /** Members that take the place of the request's own, as JSON. */
  readonly members?: ReadonlyMap<string, Buffer> | undefined;
  readonly traits: Traits;
}

/** Reads an upstream's stream and says what the client gets of it, as it is or converted. One object for one stream. */
export interface StreamReader {
  readonly usage: Usage | undefined;
  /** What the upstream said in its error event; nothing is forwarded from there on. */
  readonly fault: JsonObject | undefined;
  /** Whether the answer is whole. */
  readonly ended: boolean;
  /** Whether nothing is waited for any more. */
  readonly done: boolean;
  /** Events read so far: a lower bound of the tokens produced. */
  readonly events: number;
  /** Whether the provider may have run a tool of its own by now; left out where its stream does not tell of each. */
  readonly hasRunTool?: boolean | undefined;
  push(chunk: Buffer): Buffer;
  /** @param pause is waited for between two steps of reading a large event; nothing may be pushed meanwhile. */
  push(chunk: Buffer, pause: () => Promise<void>): Buffer | Promise<Buffer>;
  end(): Buffer;
  end(pause: () => Promise<void>): Buffer | Promise<Buffer>;
  /** What was produced so far, for a tokenizer. */
  readText(): string | TextPieces;
}

/** A wire format that upstreams speak: its codec, and what the gateway reads of an answer besides. */
export interface UpstreamProtocol<Traits extends ModelTraits = ModelTraits> extends SourceFormat {
  readonly codec: Codec<Traits>;
  /** Media that upstreams fetch themselves when a request names them by URL; the rest they take only as bytes. */
  readonly fetchedMedia: readonly MediaKind[];
  /** What is made of the schemas of tools and answers, or found out about them. */
  readonly schemaPasses?: readonly NotedSchemas[];
  /** What upstreams take documents of text as; left out where nothing has to be converted. */
  readonly textForm?: TextForm;
  /** Whether upstreams take, and clients are given, the arguments of calls as objects; otherwise as JSON within a text. */
  readonly takesObjects?: true;
  /** The same for what tools gave back, where that is an object. */
  readonly takesResultObjects?: true;
  /** Arguments of calls that answers carry as objects; left out where they are JSON within a text. */
  listAnswerInputs?(answer: JsonObject): readonly object[];
  /** How the likelihoods of a whole answer are read and written; left out where they have the shape of OpenAI's chat. */
  readonly logprobs?: {
    readonly list: (answer: JsonObject) => readonly JsonObject[];
    readonly reading: NotedLogprobs;
    readonly writing: NotedLogprobs;
  };
  /** Marks what the provider is to keep in its cache, where it wants marks; left out where no provider does. */
  markForCaching?(request: CanonicalRequest, traits: Traits): CanonicalRequest;
  /** Whether the upstream can be given stop sequences, as when left out; otherwise the gateway cuts the answer. */
  supportsStop?(traits: Traits): boolean;
  /** Tokens of reasoning that may be billed beside one answer, because the cap of the request does not count them. */
  boundUncappedReasoning?(request: JsonObject, traits: Traits): number;
  /** Whether a body is an answer of this protocol at all. */
  isAnswer(body: JsonObject): boolean;
  readAnswerUsage(answer: JsonObject): Usage | undefined;
  /**
   * The members that limit how often the provider runs its tools, where a request does not: none where it does. Left out where a
   * protocol cannot say it.
   */
  limitTools?(request: JsonObject, uses: number): JsonObject;
  /**
   * What a search may come to that no limit of a request reaches; left out where limits do. Such an upstream does not search where the
   * caller declares functions, nor in some addresses alone: what is converted for it then asks for no search.
   */
  readonly searchAtWill?: SearchAtWill;
  /** The members by which a request asks its upstream to keep nothing of it; left out where a protocol cannot say it. */
  keepNothing?(request: JsonObject): JsonObject;
  /**
   * Whether an answer is nothing but a refusal of the content: all there is of it was ended by a policy. It is not decoded for that.
   *
   * @throws GatewayError `upstream_error` where it says itself that it failed.
   */
  isRefusal(answer: JsonObject): boolean;
  /** The text of an answer, or of a stream's event, that a tokenizer counts where the upstream reported no usage. */
  listProducedTexts(answer: JsonObject): TextPieces;
  parseUpstreamError(body: string): UpstreamError;
}

/** A wire format that clients speak too: its endpoint, the readers for requests that are forwarded as they are, and errors. */
export interface ChatProtocol<Traits extends ModelTraits = ModelTraits> extends UpstreamProtocol<Traits> {
  readonly name: ClientProtocolName;
  /** Path of its endpoint; left out where the path names the model and the method. */
  readonly path?: string;
  /** Left out where requests never refer to earlier ones. */
  readonly memory?: ConversationMemory;
  /** Arguments and results that requests carry as objects; left out where they are JSON within a text. */
  listInputs?(request: JsonObject): readonly object[];
  /** Schemas of requests in a dialect of their own, and how they are read; left out where there is none. */
  readonly ownSchemas?: {
    readonly list: (request: JsonObject) => readonly JsonObject[];
    readonly pass: NotedSchemas;
  };
  /** Left out where requests name no files of ours. */
  readonly files?: FileReferences;
  /** Reads and checks a request. @throws GatewayError `invalid_request` naming the field. */
  readCall(body: Buffer, address: CallAddress): ReadCall;
  /**
   * Whether a conversation holds turns of another provider that upstreams of this very protocol refuse. It is then
   * converted like any other, although the protocol stays the same.
   */
  hasForeignTurns(body: Buffer, parsed: JsonObject, traits: Traits): boolean;
  /** Whether a request, or the model's answer, has to be converted for the model although the protocol is the same. */
  requiresConversion?(parsed: JsonObject, traits: Traits): boolean;
  /** What a request may make its provider use. @throws GatewayError `invalid_request` for a limit that cannot be read. */
  readDemand(body: Buffer, parsed: JsonObject): Demand;
  /** The client's own bytes but for the edits; a large body in pieces that are sent one after another. */
  editRequest(body: Buffer, envelope: ChatEnvelope, edits: NativeEdits<Traits>): Buffer | StoredBytes;
  /** Where the last event of a stream that says what it used holds that, as names of members. */
  readonly usagePath: readonly string[];
  createTap(options: { readonly withholdUsage: boolean; readonly framing: Framing }): StreamReader;
  /** The texts that a tokenizer counts where the upstream reported no usage, each of them apart from the others. */
  listPromptTexts(request: JsonObject): Steps<readonly string[]>;
  renderError(error: GatewayError, requestId: string): JsonObject;
  /** @param number of the event, in protocols that number them. */
  renderErrorEvent(error: GatewayError, requestId: string, framing: Framing, number: number): string;
  /** The number of the last event in a piece of a stream, where one has any; left out where events have no numbers. */
  readEventNumber?(sent: Buffer): number | undefined;
  /**
   * The event by which an upstream of this protocol said that its answer failed, with the words of an error of ours; `undefined`
   * where that is an error event.
   */
  renderFailure?(fault: JsonObject, error: GatewayError, requestId: string): string | undefined;
}

/** All kinds of media, for protocols whose upstreams fetch every one of them. */
export const ALL_MEDIA: readonly MediaKind[] = ['image', 'audio', 'video', 'document'];
