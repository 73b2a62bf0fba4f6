import type { GatewayError, Usage } from '@mg/contract';
import type { ClientProtocolName, ProtocolName } from '../canonical/blocks.js';
import type { Codec, ModelTraits, Target } from '../canonical/codec.js';
import type { JsonObject } from '../json.js';
import type { UpstreamComplaint } from '../openai-chat/errors.js';
import type { Demand } from './demand.js';

/** What the gateway must know of a chat request in any protocol; everything else stays in the raw bytes. */
export interface ChatEnvelope {
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client wants to see usage in its stream. */
  readonly includeUsage: boolean;
  /** Answers asked for. */
  readonly choices: number;
  /** The caller's own cap on the length of one answer, in tokens. */
  readonly maxTokens: number | undefined;
  /** Whether the client asked to see thoughts, where its protocol lets it say so. */
  readonly showReasoning?: boolean;
  /** Whether the client declares its tools as OpenAI's deprecated `functions`. */
  readonly functionCalls?: boolean;
  readonly parsed: JsonObject;
}

/** What the native lane may change in a request. */
export interface NativeEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Ask the stream to report usage, where a protocol does not by itself. */
  readonly forceUsage: boolean;
  /** Cap on the answer of a caller who set none, in tokens. */
  readonly cap: number | undefined;
  /** Field of the cap, where a protocol has had several. */
  readonly capField: 'max_tokens' | 'max_completion_tokens';
}

export type Framing = 'sse' | 'json-array';

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
  push(chunk: Buffer): Buffer;
  end(): Buffer;
  readText(): string;
}

/** A wire format that upstreams speak: the codec of the canonical lane, and what the gateway reads of an answer besides. */
export interface UpstreamProtocol {
  readonly name: ProtocolName;
  readonly codec: Codec;
  /** Whether a body is an answer of this protocol at all. */
  isAnswer(body: JsonObject): boolean;
  readAnswerUsage(answer: JsonObject): Usage | undefined;
  /** Limits the uses of tools that the provider runs, where a request does not; left out where a protocol cannot say it. */
  limitTools?(body: Buffer, parsed: JsonObject, uses: number): Buffer;
  /** The text that a tokenizer counts where the upstream reported no usage. */
  readProducedText(answer: JsonObject): string;
  readComplaint(body: string): UpstreamComplaint;
}

/** A wire format that clients speak too: the readers of the native lane, and the words of our own errors. */
export interface ChatProtocol extends UpstreamProtocol {
  readonly name: ClientProtocolName;
  /**
   * Whether a conversation holds turns of another provider that upstreams of this very protocol refuse. It is then
   * converted like any other, although the protocol stays the same.
   */
  holdsForeignTurns(body: Buffer, parsed: JsonObject, target: Target): boolean;
  /** Whether what a call says, or what the model answers, is said otherwise there although the protocol is the same. */
  needsOtherWords?(parsed: JsonObject, traits: ModelTraits): boolean;
  /** What a request may make its provider use. @throws GatewayError `invalid_request` for a limit that cannot be read. */
  readDemand(body: Buffer, parsed: JsonObject): Demand;
  editRequest(body: Buffer, envelope: ChatEnvelope, edits: NativeEdits): Buffer;
  createTap(options: { readonly withholdUsage: boolean; readonly framing: Framing }): StreamReader;
  /** The text that a tokenizer counts where the upstream reported no usage. */
  readPromptText(request: JsonObject): string;
  renderError(error: GatewayError, requestId: string): JsonObject;
  renderErrorEvent(error: GatewayError, requestId: string, framing: Framing): string;
}
