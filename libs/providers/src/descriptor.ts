import type { AbortPolicy, ModelKind, PriceSheet, Rates, ToolFee } from '@mg/contract';
import type {
  ExchangeOperation,
  ExchangeProtocol,
  ExchangeTraits,
  JsonObject,
  ProtocolName,
  SessionProtocol,
  TraitsOf,
} from '@mg/protocols';
import type { z } from 'zod';
import type { BatchSurface } from './batch-surface.js';
import type { JobSurface } from './job-surface.js';
import type { ModelList } from './model-list.js';
import type { OutgoingRequest, Settings, SigningContext } from './signing.js';

/** What a chat surface does. */
export type Operation = 'chat' | 'count-tokens' | 'compact' | 'cached-content';

/** A provider as data. Adding one is a folder with a descriptor and a line in the registry. */
export interface ProviderDescriptor {
  /** Folder name, text in the database, label of metrics. */
  readonly id: string;
  readonly title: string;
  /** Rules of the channel's `settings`. */
  readonly settings: z.ZodType<Record<string, unknown>>;
  /** Settings that are sealed at rest like API keys and never shown. */
  readonly secretSettings?: readonly string[];
  readonly credential: 'api-key' | 'optional' | 'none';
  /** Address used when the channel names none; without it a channel must name one. */
  readonly defaultBaseUrl?: string | ((settings: Settings) => string);
  /** Path added to a base address that has no version segment of its own, such as `/v1`; may be empty. */
  readonly versionPath: string;
  /** Environment variable whose presence makes a channel of this provider appear by itself. */
  readonly environmentKey?: string;
  /** What happens to a whole answer whose caller has left: `finish` where the provider bills it in any case, the default. */
  readonly onAbort?: AbortPolicy;
  /** In order of preference, for clients whose protocol none of them speaks. */
  readonly surfaces: readonly Surface[];
  /** What is asked once and answered once: embeddings, images, audio. In order of preference. */
  readonly exchanges?: readonly ExchangeSurface[];
  /** Sessions over a WebSocket, in order of preference. */
  readonly realtime?: readonly RealtimeSurface[];
  /** Ways of making videos as jobs, in order of preference. */
  readonly jobs?: readonly JobSurface[];
  /** Its own batches, where they are known here. */
  readonly batches?: BatchSurface;
  /** Where it says which models a credential may use. */
  readonly modelList?: ModelList;
  /** Current well-known models, offered by a channel that appeared by itself. */
  readonly models: readonly ModelCard[];
  /** What OpenTelemetry's conventions call it (`gen_ai.provider.name`), where that is not its id. */
  readonly telemetryName?: string;
  /** Id of this provider in the price data package, where it is listed. */
  readonly priceSource?: string;
}

export interface ModelCard {
  readonly slug: string;
  readonly kind: ModelKind;
  readonly maxOutputTokens?: number;
  /** Of a chat: most tokens of a prompt; otherwise the price data package may have it. */
  readonly contextWindow?: number;
  /** A price of our own; otherwise the price data package has it. */
  readonly price?: PriceSheet;
  /** What the provider publishes beside it, and the package has not. */
  readonly fees?: PublishedFees;
}

/** Fees of a model beside the rates of its tokens. */
export interface PublishedFees {
  /** The provider's page that has them, and the day when it was last looked up or quoted: `2026-11-22`. */
  readonly page: string;
  readonly seenOn: string;
  /** USD for one use. */
  readonly tools?: Partial<Record<ToolFee, string>>;
  /** What a service tier costs: a multiple of every rate of the model, such as "2", or rates of its own in USD. */
  readonly tiers?: Readonly<Record<string, string | Rates<string>>>;
  /** Share of the rates that work in batches costs. */
  readonly batchShare?: string;
}

/** What a surface needs to know of a call to address it. */
export interface SurfaceCall {
  /** The upstream's own name of the model. */
  readonly model: string;
  readonly stream: boolean;
  readonly settings: Settings;
}

/** An address of a provider and how it is called. */
export interface SurfaceAddress {
  /** Models this surface serves; all of them when left out. A channel's settings may decide which. */
  serves?(model: string, settings: Settings): boolean;
  /** Path below the versioned base address, with its query where it has one. */
  path(call: SurfaceCall): string;
  /** Headers that carry the credential, and those that the provider wants on each call. */
  authorize(apiKey: string | undefined, call: SurfaceCall): Readonly<Record<string, string>>;
  /** Signs the finished request where headers alone will not do. */
  sign?(request: OutgoingRequest, context: SigningContext): OutgoingRequest | Promise<OutgoingRequest>;
  /** Client headers that go along to this upstream, in lower case, when the client speaks its protocol. */
  readonly passHeaders?: readonly string[];
  /** Present where the provider is simulated in this process and no address is called. */
  readonly answer?: LocalAnswer;
}

/** Chats at one address in one protocol. */
export interface SurfaceOf<Name extends ProtocolName> extends SurfaceAddress {
  readonly operation: Operation;
  readonly protocol: Name;
  /** How a model differs from its protocol, as data. */
  traits?(model: string, settings: Settings): TraitsOf<Name>;
  /**
   * Changes a body for a provider that wraps the protocol. The native lane then re-encodes the request's JSON, unless the
   * very same object comes back.
   */
  adapt?(body: JsonObject, call: SurfaceCall): JsonObject;
  /** What stands before and behind the base64 of an adapted body, where it travels as such. */
  readonly base64Within?: readonly [before: string, behind: string];
  /**
   * Path of a response that the upstream keeps, below the versioned base address: `DELETE` ends it, and requests go on from it by
   * `previous_response_id`. Present where the provider's reference says that it keeps responses.
   */
  keptResponsePath?(id: string, settings: Settings): string;
  /** Member of an answer that holds the count, where tokens are counted. */
  readonly countedIn?: 'input_tokens' | 'inputTokens' | 'totalTokens';
  /** Streams come in the binary frames of AWS instead of server-sent events. */
  readonly framing?: 'aws-event-stream';
}

/** Chats at one address, in whichever protocol. */
export type Surface = { [Name in ProtocolName]: SurfaceOf<Name> }[ProtocolName];

/** One operation that is asked once and answered once, at one address in one wire format. */
export interface ExchangeSurface extends SurfaceAddress {
  readonly operation: ExchangeOperation;
  readonly protocol: ExchangeProtocol;
  /** How a model differs from its wire format, as data. */
  traits?(model: string, settings: Settings): ExchangeTraits;
}

/** What a surface needs to know of a session to address it. */
export interface RealtimeCall extends SurfaceCall {
  /** Version of the protocol, where the client named one. */
  readonly version?: string;
  /** What else than to be spoken with: the address then names this, and no model. */
  readonly intent?: 'transcription';
}

/** Sessions over a WebSocket at one address. */
export interface RealtimeSurface extends Omit<SurfaceAddress, 'answer' | 'sign' | 'path' | 'authorize'> {
  readonly protocol: SessionProtocol['name'];
  /** Headers that carry the credential, and those that the provider wants. */
  authorize(apiKey: string | undefined, call: RealtimeCall): Readonly<Record<string, string>>;
  /** Path below the versioned base address, with its query where it has one. */
  path(call: RealtimeCall): string;
  /** Whether the path stands beside the version of the base address instead of below it, since it names one itself. */
  readonly isBesideVersion?: boolean;
  /** Whether it knows the words of the protocol's beta, which have to be turned into those of the API otherwise. */
  readonly knowsBeta?: boolean;
  /** Present where the provider is simulated in this process and no address is called. */
  readonly converse?: LocalConversation;
}

/** Begins a session with a simulated model. @param emit takes each event of the model's, as JSON. */
export type LocalConversation = (call: RealtimeCall, emit: (event: string) => void) => LocalPartner;

/** The model's side of a session in this process. */
export interface LocalPartner {
  /** An event of the client's, as JSON. */
  receive(event: string): void;
  /** The session is over: nothing is emitted any more. */
  close(): void;
}

export interface LocalRequest {
  readonly body: Buffer;
  /** Type of the body; JSON when left out. */
  readonly contentType?: string;
  /** Path and query the surface would have been called at. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** What an answer in the client's own protocol repeats of its request, and says of what the gateway keeps. */
  readonly repeated?: JsonObject | undefined;
}

export interface LocalReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body; iteration stops when the request's signal aborts. */
  readonly chunks: AsyncIterable<Buffer>;
}

export type LocalAnswer = (request: LocalRequest) => LocalReply;

/** Fixes a descriptor's type while keeping its literals. */
export function defineProvider(descriptor: ProviderDescriptor): ProviderDescriptor {
  return Object.freeze(descriptor);
}
