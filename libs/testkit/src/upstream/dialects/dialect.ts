import type { IncomingHttpHeaders } from 'node:http';
import { omitUndefined } from '@mg/contract';
import type { Answer } from '../answer.js';
import type { Behaviour, StreamStyle } from '../behaviour.js';
import type { ChatRequest, Refusal } from '../request.js';
import type { Billed } from '../usage.js';

/** A request as it came in. */
export interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** One event of a stream and what producing it adds to the bill. */
export interface StreamEvent {
  /** Text of its `event:` line, where the dialect has one. */
  readonly name?: string;
  readonly json: string;
  /** What the model produced in it: text, reasoning or arguments. */
  readonly text: string;
  readonly tokens: number;
  readonly reasoningTokens: number;
}

/** Whatever all events of one answer share. */
export interface Identity {
  /** Without a prefix. */
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly model: string;
}

export interface AnswerContext {
  readonly answer: Answer;
  readonly request: ChatRequest;
  readonly behaviour: Behaviour;
  readonly identity: Identity;
  /** What the caller's meter holds by the time it is looked at, so that usage is always the meter's own. */
  readonly billed: Readonly<Billed>;
}

/** A failure in the words that all dialects share. */
export interface ErrorFacts {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
}

/** How a protocol counts the tokens of a prompt. */
export interface Counting {
  readonly path: RegExp;
  /** The chat whose prompt is to be counted. */
  toChat(arrival: Arrival): Arrival;
  describe(tokens: number): unknown;
}

/** How one provider's protocol looks on the wire. */
export interface Dialect {
  readonly path: RegExp;
  /** Its streams, where a behaviour does not say otherwise. */
  readonly style: StreamStyle;
  readKey(headers: IncomingHttpHeaders): string;
  readModel(arrival: Arrival): string;
  /** Whether it keeps its answers, for later requests of the same key to go on from. */
  readonly keepsAnswers?: boolean;
  /** Reads a body as the provider does, refusing what it refuses. */
  readRequest(arrival: Arrival): ChatRequest | Refusal;
  /** Status of what it refuses; 400 by itself. */
  readonly refusalStatus?: number;
  composeEvents(context: AnswerContext): Generator<StreamEvent>;
  /** The whole answer, whose tokens are all billed by now. */
  describeAnswer(context: AnswerContext): unknown;
  describeError(status: number, facts: ErrorFacts): unknown;
  /** Present where the provider counts tokens. */
  readonly counting?: Counting;
  /** A failure in mid-stream. */
  describeErrorEvent(facts: ErrorFacts): { readonly name?: string; readonly body: unknown };
}

/** An event that produces nothing. */
export function silentEvent(body: unknown, name?: string): StreamEvent {
  const json = JSON.stringify(body);
  return omitUndefined({ name, json, text: '', tokens: 0, reasoningTokens: 0 });
}
