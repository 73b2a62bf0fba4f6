import type { Usage } from '@mg/contract';
import type {
  JsonObject,
  OutgoingBody,
  ShapeLimits,
  StreamReader,
  UpstreamAnswer,
  UpstreamError,
} from '@mg/protocols';
import type { ExchangeSurface, ProviderDescriptor, Surface } from '@mg/providers';
import type { DroppedFields } from './dropped-fields.js';
import type { UsageReport } from './operation.js';

/** How a channel is called. */
export interface CallableEndpoint {
  readonly provider: ProviderDescriptor;
  readonly surface: Surface | ExchangeSurface;
  /** `undefined` where the provider answers in this process. */
  readonly baseUrl: string | undefined;
}

/** A whole answer, ready for the client, and what it says of its usage. */
export interface WholeAnswer extends UsageReport {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly usage: Usage | undefined;
}

/** How whole answers of an operation are read. */
export interface AnswerLimits {
  readonly maxBytes: number;
  /** Whether every answer is JSON, whatever type it names. */
  readonly isJson: boolean;
  /** How many values its JSON may hold. */
  readonly shape: ShapeLimits;
}

/** How a stream of an upstream is read. */
export interface StreamFormat {
  /** Frames around the events that are taken off first. */
  readonly framing?: 'aws-event-stream' | undefined;
  /** Longest event in bytes, where that of texts is too short. */
  readonly maxEventBytes?: number;
  /** Whether a model may ignore the wish for a stream, so that another type of answer is read as a whole. */
  readonly isOptional: boolean;
  createReader(): StreamReader;
}

/** The channel and key whose upstream keeps an answer, for later calls to go on from. */
export interface AnswerKeeper {
  readonly channelId: string;
  readonly apiKey: string;
}

/** One attempt at a channel: what it is asked, and what its answer becomes. */
export interface PreparedAttempt {
  readonly endpoint: CallableEndpoint;
  /** Asked side by side; all have to be answered. */
  readonly bodies: readonly OutgoingBody[];
  /** Headers of the client that go along. */
  readonly passedHeaders: Readonly<Record<string, string>>;
  /** What an answer that is made within this process repeats of its request; left out where it repeats nothing. */
  readonly repeated?: JsonObject | undefined;
  /** What was left out of the request. */
  readonly dropped: DroppedFields | undefined;
  readonly limits: AnswerLimits;
  /** Present when the upstream is asked for a stream. */
  readonly stream: StreamFormat | undefined;
  /** Whether an answer of this media type goes on to the client unread; left out where answers have to be read. */
  canPassThrough?(contentType: string): boolean;
  /** @throws GatewayError `upstream_error` when an answer is not what its wire format says. */
  readAnswer(answers: readonly UpstreamAnswer[]): WholeAnswer | Promise<WholeAnswer>;
  /** Whether answers are nothing but a refusal of the content; left out where they cannot be. */
  isRefusal?(answers: readonly UpstreamAnswer[]): boolean;
  parseUpstreamError(body: string): UpstreamError;
  /** Who keeps its answer; left out where nobody does. */
  readonly keeper?: AnswerKeeper | undefined;
  /** For the log: what the upstream is asked to go on from. */
  readonly note?: string | undefined;
  /** Whether an error says that the upstream does not know what it was asked to go on from; left out where it was asked for nothing such. */
  isForgotten?(error: UpstreamError): boolean;
}
