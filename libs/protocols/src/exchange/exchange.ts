import type { ModelKind, Usage } from '@mg/contract';
import type { Dropped } from '../canonical/codec.js';
import type { StreamReader } from '../chat/chat-protocol.js';
import type { ImageTraits } from '../images/image-traits.js';
import type { JsonObject } from '../json.js';
import type { UpstreamError } from '../canonical/upstream-error.js';
import type { StoredBytes, StoredFile } from './stored-bytes.js';
import type { JoinedText } from '../strict-json/joined-text.js';

/** What is asked once and answered once: everything but chats and videos. */
export type ExchangeOperation =
  | 'embeddings'
  | 'image-generation'
  | 'image-edit'
  | 'image-variation'
  | 'transcription'
  | 'translation'
  | 'speech'
  | 'moderation'
  | 'rerank';

/** Wire formats of exchanges: of clients, of channels, or of both. */
export type ExchangeProtocol =
  | 'openai-embeddings'
  | 'gemini-embed'
  | 'gemini-batch-embed'
  | 'cohere-embeddings'
  | 'jina-embeddings'
  | 'voyage-embeddings'
  | 'jina-rerank'
  | 'cohere-rerank'
  | 'voyage-rerank'
  | 'openai-moderations'
  | 'openai-transcriptions'
  | 'gemini-transcriptions'
  | 'openai-speech'
  | 'openai-images'
  | 'gemini-images'
  | 'imagen-images';

/** How an upstream's model differs from its wire format at large, as data of the provider and model. */
export interface ExchangeTraits {
  /** Most inputs of one request; what a caller sends beyond is asked for in several. */
  readonly maxInputs?: number;
  readonly image?: ImageTraits;
  /** Callers may choose models and providers behind the channel. */
  readonly allowsUpstreamRouting?: boolean;
}

/** Where an attempt goes to. */
export interface ExchangeTarget {
  readonly protocol: ExchangeProtocol;
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Provider type, for sentences. */
  readonly channelType: string;
  readonly traits: ExchangeTraits;
  readonly dropped: Dropped;
}

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Buffer | StoredFile;
}

/** A request's body: JSON, or a form with files. */
export type ExchangeBody =
  | { readonly kind: 'json'; readonly bytes: Buffer; readonly parsed: JsonObject }
  | { readonly kind: 'form'; readonly parts: readonly FormPart[] };

export interface OutgoingBody {
  readonly contentType: string;
  readonly bytes: Buffer | StoredBytes;
  /**
   * Makes the same bytes in steps, none of which takes long; left out where nothing is to be made.
   *
   * @param pause is waited for between two steps.
   */
  writeInSlices?(pause: () => Promise<void>): Promise<Buffer | StoredBytes>;
  /** Type of the answer that is wanted; JSON when left out. */
  readonly accept?: string;
}

/** An upstream's whole answer. */
export interface UpstreamAnswer {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The same as JSON, where it is an object. */
  readonly parsed: JsonObject | undefined;
}

/** What the client gets. */
export interface ExchangeAnswer {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** See `OutgoingBody.writeInSlices`. Left out where the upstream's own bytes go on. */
  writeInSlices?(pause: () => Promise<void>): Promise<Buffer>;
  /** `undefined` when the upstream reported none: the exchange's own estimate then counts. */
  readonly usage: Usage | undefined;
}

/** Names an address at which an image can be fetched, for clients that want one; `undefined` where it is kept nowhere. */
export type NameAddress = (base64: string | JoinedText, mediaType: string) => string | undefined;

/** One attempt: what the upstream is asked, and what its answers become. */
export interface PreparedCall {
  /** Asked side by side; all have to be answered. */
  readonly bodies: readonly OutgoingBody[];
  /**
   * @param nameAddress for images that the client wants by address; those without one are given as `data:` URLs.
   * @throws GatewayError `upstream_error` when an answer is not what its wire format says.
   */
  readAnswer(answers: readonly UpstreamAnswer[], nameAddress?: NameAddress): ExchangeAnswer;
  /** Present when the upstream streams its answer to the one body there is. */
  createReader?(): StreamReader;
  /**
   * Whether an answer of this media type is the client's byte for byte, whatever it holds: it need not be whole before it
   * goes on, as long as its price does not depend on it. Left out where answers have to be read.
   */
  canPassThrough?(contentType: string): boolean;
  parseUpstreamError(body: string): UpstreamError;
}

/** Media that a request names by URL, for channels that take only their bytes. */
export interface RemoteMedia {
  /** What has to be fetched for a channel of this wire format. */
  listUrls(protocol: ExchangeProtocol): readonly string[];
  /** The same exchange with the bytes in their place. @throws GatewayError `invalid_request` when they are not what they should be. */
  withBytes(bytes: ReadonlyMap<string, Buffer>): Exchange;
}

/** A choice between price variants that the client leaves to the upstream. */
export interface OpenVariant {
  /** Whether the upstream may choose this variant. */
  mayBe(variant: string): boolean;
  /**
   * Whether the client asked for such a choice (`auto`): the most expensive is billed unless the answer reports which it was.
   * Otherwise it left the field out, and the model's own price is that of the upstream's default.
   */
  readonly isAsked: boolean;
}

/** A call that is asked once and answered once, as its client sent it. */
export interface Exchange {
  readonly operation: ExchangeOperation;
  readonly kind: ModelKind;
  /** The client's wire format. */
  readonly protocol: ExchangeProtocol;
  /** The wire format in which batches of a provider take it that speaks it; left out where it is the one of calls. */
  readonly batchedAs?: ExchangeProtocol;
  /** The model slug. */
  readonly model: string;
  /** Whether the client wants its answer as a stream of events. */
  readonly stream: boolean;
  /** Most that the call may use; the hold covers it. */
  readonly bound: Usage;
  /** Price variants that may apply, the most precise first. */
  readonly priceVariants: readonly string[];
  /** Present where the upstream may choose between price variants; the hold covers the most expensive of them. */
  readonly openVariant?: OpenVariant;
  /** Room in memory that the call's answer will probably take. */
  readonly answerBytes: number;
  /** What the call used where the upstream reports nothing. */
  readonly estimate: Usage;
  /** Texts that a tokenizer counts as the estimate's input; none when the estimate has them already. */
  readonly promptTexts: readonly string[];
  readonly remote?: RemoteMedia;
  /** @throws GatewayError `invalid_request` naming the field that a channel of this kind cannot do. */
  prepare(target: ExchangeTarget): PreparedCall;
}
