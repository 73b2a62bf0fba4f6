import type { ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import type { ToolOrigin } from './tool-origin.js';

export type { ClientProtocolName, ProtocolName } from '../chat/chat-protocols.js';

/** What a codec could not place, kept under the name of its protocol and given back verbatim there. */
export type Extensions = Partial<Record<ProtocolName, JsonObject>>;

/** Proof that a piece of reasoning or a call came from a provider's model; only that protocol may have it back. */
export interface Signature {
  readonly protocol: ProtocolName;
  readonly value: string;
}

export interface Citation {
  /** Offsets in code points of the text of the block it stands on. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly url: string | undefined;
  readonly title: string | undefined;
  readonly quote: string | undefined;
  readonly ext?: Extensions;
}

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[];
  readonly ext?: Extensions;
}

/** Thinking, shown or hidden. `redacted` is thinking that only its own provider can read. */
export interface ReasoningBlock {
  readonly type: 'reasoning';
  readonly text: string;
  readonly signature?: Signature;
  readonly redacted?: Signature;
  readonly ext?: Extensions;
}

export type MediaKind = 'image' | 'audio' | 'video' | 'document';

export type MediaSource =
  | {
      readonly type: 'bytes';
      readonly mediaType: string;
      readonly base64: string;
      /** What `convertMediaInSlices` has still to make of it: so many megabytes are not converted in one step. */
      readonly becomes?: 'standard' | 'text';
    }
  | { readonly type: 'url'; readonly url: string; readonly mediaType: string | undefined }
  | { readonly type: 'text'; readonly text: string }
  /** A file that was uploaded to one provider and means nothing to the others. */
  | { readonly type: 'file'; readonly id: string; readonly protocol: ProtocolName };

export interface MediaBlock {
  readonly type: 'media';
  readonly kind: MediaKind;
  readonly source: MediaSource;
  readonly name?: string;
  readonly detail?: 'low' | 'high' | 'auto';
  readonly ext?: Extensions;
}

export interface ToolCallBlock {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  /** JSON text of the arguments as the model wrote it; `{}` when there are none. */
  readonly arguments: string;
  /** The same, parsed; present where it was parsed before it is needed. */
  readonly input?: JsonObject;
  /** Whether the arguments are whole; present where it was found out before it is asked. */
  readonly isWhole?: boolean;
  readonly signature?: Signature;
  readonly ext?: Extensions;
  readonly origin?: ToolOrigin;
}

export interface ToolResultBlock {
  readonly type: 'tool-result';
  readonly callId: string;
  /** Name of the tool, looked up from the call where the protocol does not repeat it. */
  readonly name: string | undefined;
  readonly content: readonly (TextBlock | MediaBlock | OpaqueBlock)[];
  readonly isError: boolean;
  readonly ext?: Extensions;
  /** Of the tool that was called. */
  readonly origin?: ToolOrigin;
}

/** Anything a protocol has and the others do not: server tools and their results, unknown kinds to come. */
export interface OpaqueBlock {
  readonly type: 'opaque';
  readonly protocol: ProtocolName;
  readonly raw: JsonObject;
}

export type Block = TextBlock | ReasoningBlock | MediaBlock | ToolCallBlock | ToolResultBlock | OpaqueBlock;

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly blocks: readonly Block[];
  readonly ext?: Extensions;
}
