import type { Usage } from '@mg/contract';
import type { JsonObject } from '../json.js';
import type { ProtocolName } from './blocks.js';
import type { CachePlace } from './carry-cache-marks.js';
import type { CanonicalEvent, Fault } from './events.js';
import type { CanonicalReply } from './reply.js';
import type { CanonicalRequest, ReasoningEffort } from './request.js';
import type { ToolOrigin } from './tool-origin.js';

/** Collects what a conversion had to leave out. */
export interface Dropped {
  /** @param field in the words of OpenAI's chat, as `seed`, or in the client's: {@link nameField} tells the client's. */
  add(field: string): void;
}

/** How the upstream's models differ from their protocol at large, as data of the provider and model. */
export interface ModelTraits {
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** `max_tokens` does not count thoughts; where the model also knows `max_completion_tokens`, that does. */
  readonly maxTokensOmitsThoughts?: boolean;
  readonly streamUsage?: boolean;
  /** Sampling parameters are refused. */
  readonly fixedSampling?: boolean;
  /** Temperature and `top_p` are refused together. */
  readonly singleSampling?: boolean;
  /** Stop strings are refused: the gateway cuts the answer itself. */
  readonly stopStrings?: boolean;
  /** What switches a Claude's thinking off, `disabled` unless told; `nothing` where it only thinks least. */
  readonly thinkingOff?: 'disabled' | 'between_tools' | 'unsaid' | 'nothing';
  /** Whether a Claude thinks unless it is told not to. */
  readonly thinksUnasked?: boolean;
  /** `false` where a call cannot be forced. */
  readonly forcedCalls?: boolean;
  /** Thinking is asked for by effort rather than by budget. */
  readonly adaptiveThinking?: boolean;
  /** Longest answer, for protocols that want a limit named. */
  readonly maxOutputTokens?: number;
  /** Most tokens of one picture, where it is known. */
  readonly pictureTokens?: number;
  /** System turns are accepted only at the start. */
  readonly systemFirstOnly?: boolean;
  readonly developerRole?: boolean;
  /** `false` where words that OpenAI added later mean nothing: `max_completion_tokens`, developer turns. */
  readonly laterWords?: boolean;
  /** Answers differ from those of the protocol in what its clients read, and are converted for them too. */
  readonly oddAnswers?: boolean;
  /** Field that carries thoughts, in and out. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** Thoughts of earlier turns must be sent back. */
  readonly replayReasoning?: boolean;
  /** The model thinks by itself, and refuses calls of the loop under way that come without the thoughts behind them. */
  readonly loopNeedsThoughts?: boolean;
  /** `false` where a message may carry no thoughts at all, in whatever field. */
  readonly thoughtFields?: boolean;
  /** OpenAI's own fields of bookkeeping are known: metadata, keys of caches, verbosity. */
  readonly bookkeeping?: boolean;
  /** The provider searches the web when it is asked to. */
  readonly webSearch?: boolean;
  readonly jsonSchema?: boolean;
  /** Callers may choose models and providers behind the channel. */
  readonly upstreamRouting?: boolean;
  /** `false` where media are taken only as bytes, although the protocol knows URLs. */
  readonly mediaByUrl?: boolean;
  /** Efforts of thinking that the model knows; an empty list when it cannot be asked to think. */
  readonly efforts?: readonly ReasoningEffort[];
  /** Field by which models behind Converse are asked to think, each family by its own. */
  readonly effortField?: 'reasoningConfig' | 'reasoning_effort' | 'reasoning';
  /** Field that names the end user, in the OpenAI dialect. */
  readonly userField?: 'user' | 'safety_identifier' | 'none';
  /** `false` where a conversation may not end in an assistant's turn to be continued. */
  readonly prefill?: boolean;
  /** Where Converse takes marks of what is to be cached; nowhere when left out, since models that cache nothing refuse them. */
  readonly cachePoints?: readonly CachePlace[];
  /** Calls and their results may carry ids; `false` for Gemini upstreams that refuse the field. */
  readonly callIds?: boolean;
}

/** The model that a request goes to. */
export interface Target {
  readonly upstreamModel: string;
  readonly traits: ModelTraits;
}

export interface EncodeContext extends Target {
  /** Whose words fields are named in; OpenAI's chat when left out. */
  readonly client?: ProtocolName;
  /** Provider type, for sentences. */
  readonly channelType: string;
  readonly dropped: Dropped;
}

export interface ReplyContext {
  /** The name the client asked for: answers carry it. */
  readonly model: string;
  readonly includeUsage: boolean;
  /** Whether the client wants to see thoughts, where its protocol lets it say so; signatures travel either way. */
  readonly showReasoning?: boolean;
  /** Clients of OpenAI's deprecated `functions` are told of one `function_call` instead of `tool_calls`. */
  readonly functionCalls?: boolean;
  /** Gemini clients that do not ask for `alt=sse` get a JSON array; everyone else gets server-sent events. */
  readonly framing?: 'sse' | 'json-array';
  /** How the client declared tools that the upstream knows by another name, by that name. */
  readonly toolOrigins?: ReadonlyMap<string, ToolOrigin>;
}

/** Turns bytes of an upstream's stream into canonical events. One object for one stream. */
export interface StreamDecoder {
  push(chunk: Buffer): CanonicalEvent[];
  /** The upstream's connection has ended; a reply that was not whole becomes a fault. */
  end(): CanonicalEvent[];
}

/** Turns canonical events into bytes of the client's stream. One object for one stream. */
export interface StreamEncoder {
  encode(event: CanonicalEvent): string;
}

/** One wire format in all directions. */
export interface Codec {
  readonly name: ProtocolName;
  /** @throws GatewayError `invalid_request` naming the field. */
  decodeRequest(body: JsonObject, model: string, stream: boolean): CanonicalRequest;
  /** @throws GatewayError `invalid_request` where leaving something out would change the meaning. */
  encodeRequest(request: CanonicalRequest, context: EncodeContext): JsonObject;
  decodeReply(body: JsonObject): CanonicalReply;
  encodeReply(reply: CanonicalReply, context: ReplyContext): JsonObject;
  createStreamDecoder(): StreamDecoder;
  createStreamEncoder(context: ReplyContext): StreamEncoder;
  readUsage(usage: unknown): Usage | undefined;
  /** What an upstream of this protocol said about a failure. */
  readFault(body: string): Fault | undefined;
}
