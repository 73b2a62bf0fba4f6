import type { ProtocolName, TraitsOf } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';

/** Short names of the protocols, in the order of the columns. */
export const WIRES = {
  chat: 'openai-chat',
  responses: 'openai-responses',
  completions: 'openai-completions',
  messages: 'anthropic-messages',
  gemini: 'gemini-generate',
  converse: 'bedrock-converse',
} as const satisfies Readonly<Record<string, ProtocolName>>;

export type Wire = keyof typeof WIRES;

export const ALL_WIRES = Object.keys(WIRES) as readonly Wire[];

/** A 400 that names the field: by this name in the words of OpenAI's chat, else by the place where it stands. */
export class Refused {
  constructor(readonly field?: string) {}
}

/**
 * Carried as far as it goes; what is left out is named, in the words of OpenAI's chat or in the client's. `*.strict` is
 * any name with that end: where it stands is the client's matter.
 */
export class Warned {
  constructor(
    readonly fields: readonly string[],
    readonly body: JsonObject,
  ) {}
}

/** What becomes of a concept on a channel: a part of the request that it is asked, or why not. */
export type Destination = JsonObject | Warned | Refused;

export function refused(field?: string): Refused {
  return new Refused(field);
}

export function warned(fields: string | readonly string[], body: JsonObject = {}): Warned {
  return new Warned(typeof fields === 'string' ? [fields] : fields, body);
}

/** A concept of requests, in the words of every protocol. */
export interface RequestRow {
  readonly concept: string;
  /** As clients say it and channels are asked alike: part of a request. */
  readonly said?: Readonly<Partial<Record<Wire, JsonObject>>>;
  /** As only clients say it. */
  readonly from?: Readonly<Partial<Record<Exclude<Wire, 'converse'>, JsonObject>>>;
  /** What channels are asked, where that differs from what clients say. Text completions refuse what is not named here. */
  readonly to?: Readonly<Partial<Record<Wire, Destination>>>;
  /** How the channel's model differs from its protocol. */
  readonly traits?: TraitsOf<ProtocolName>;
  readonly model?: string;
}

/** A concept of answers, whole and streamed. */
export interface AnswerRow {
  readonly concept: string;
  /** As upstreams answer and clients are answered alike: a whole answer. */
  readonly said?: Readonly<Partial<Record<Wire, JsonObject>>>;
  /** As only upstreams answer. */
  readonly from?: Readonly<Partial<Record<Wire, JsonObject>>>;
  /** What clients are answered, where that differs: part of an answer. */
  readonly to?: Readonly<Partial<Record<Wire, JsonObject>>>;
  /** Why a stream of it carries less than the whole answer. */
  readonly streamedOtherwise?: string;
}

/** What a client says in each protocol where a row says nothing else. */
export const BASES: Readonly<Record<Exclude<Wire, 'converse'>, JsonObject>> = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  responses: { model: 'm', input: 'Hi' },
  completions: { model: 'm', prompt: 'Hi', max_tokens: 64 },
  messages: { model: 'm', max_tokens: 64, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
};
