import type { ModelKind, PriceSheet } from '@mg/contract';
import type { z } from 'zod';

/** What a caller wants done; each is served by a surface. */
export type Operation = 'chat';

/** Wire format that a surface speaks. Equal to the client's own: native lane. */
export type ProtocolId = 'openai-chat';

/** A provider as data. Adding one is a folder with a descriptor and a line in the registry. */
export interface ProviderDescriptor {
  /** Folder name, text in the database, label of metrics. */
  readonly id: string;
  readonly title: string;
  /** Rules of the channel's `settings`. */
  readonly settings: z.ZodType<Record<string, unknown>>;
  readonly credential: 'api-key' | 'optional' | 'none';
  /** Address used when the channel names none; without it a channel must name one. */
  readonly defaultBaseUrl?: string;
  /** Path added to a base address that has no version segment of its own, such as `/v1`. */
  readonly versionPath: string;
  /** Environment variable whose presence makes a channel of this provider appear by itself. */
  readonly environmentKey?: string;
  readonly surfaces: readonly Surface[];
  /** Current well-known models, offered by a channel that appeared by itself. */
  readonly models: readonly ModelCard[];
  /** Id of this provider in the price data package, where it is listed. */
  readonly priceSource?: string;
}

export interface ModelCard {
  readonly slug: string;
  readonly kind: ModelKind;
  readonly maxOutputTokens?: number;
  /** A price of our own; otherwise the price data package has it. */
  readonly price?: PriceSheet;
}

/** One operation at one address in one protocol. */
export interface Surface {
  readonly operation: Operation;
  readonly protocol: ProtocolId;
  /** Path below the versioned base address. */
  readonly path: string;
  /** Headers that carry the credential. */
  authorize(apiKey: string | undefined): Readonly<Record<string, string>>;
  readonly quirks: Quirks;
  /** Present where the provider is simulated in this process and no address is called. */
  readonly answer?: LocalAnswer;
}

/** How an upstream differs from its protocol, as data. */
export interface Quirks {
  /** Field that caps the answer's length. */
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** Whether a stream may be asked to report usage by `stream_options.include_usage`. */
  readonly streamUsage: boolean;
}

export interface LocalRequest {
  readonly body: Buffer;
  readonly signal: AbortSignal;
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
