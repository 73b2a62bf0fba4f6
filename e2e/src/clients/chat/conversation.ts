import type { Deployment } from '../../deployment/deployment.js';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: { readonly type: 'object'; readonly [keyword: string]: unknown };
}

/** What a caller wants, in no dialect. */
export interface Setup {
  readonly model: string;
  readonly apiKey?: string;
  readonly system?: string;
  readonly tools?: readonly ToolDefinition[];
  /** JSON schema that the answer has to follow. */
  readonly schema?: { readonly [keyword: string]: unknown };
  /** Ask for thoughts, visibly. */
  readonly think?: boolean;
  readonly maxTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Question {
  readonly text: string;
  /** Base64 of a PNG. */
  readonly image?: string;
}

export interface Counts {
  /** Everything that was read, cached or not. */
  readonly input: number;
  readonly cached: number;
  /** Everything that was written, thoughts included. */
  readonly output: number;
}

/** An answer, read out of the client's own dialect. */
export interface Reply {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly stop: unknown;
  readonly counts: Counts;
  readonly model: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What a stream said of its cost, asked for by `x-gateway-cost: 1`. */
  readonly cost?: unknown;
}

export interface RunOptions {
  readonly stream: boolean;
  /** Another model than the conversation began with. */
  readonly model?: string;
  readonly signal?: AbortSignal;
  /** Called with each piece of text of a stream. */
  readonly onText?: (piece: string) => void;
}

/** A conversation that an official SDK holds: it keeps its turns in the SDK's own types and sends back what it got. */
export interface Conversation {
  ask(question: Question): void;
  /** Results of the last turn's calls, in their order. */
  answerCalls(results: readonly string[]): void;
  run(options: RunOptions): Promise<Reply>;
}

/** What a failed call looks like to the SDK's user. */
export interface ClientFailure {
  readonly status: number | undefined;
  /** The SDK's class for it. */
  readonly type: string;
  /** The dialect's own word for the kind of failure. */
  readonly kind: unknown;
  readonly message: string;
}

/** One official SDK, changed in nothing but its address and key. */
export interface ChatClient {
  readonly name: string;
  /** The dialect's word for an answer that is complete, was cut, and calls tools. */
  readonly stops: { readonly end: unknown; readonly length: unknown; readonly calls: unknown };
  /** How thoughts of earlier turns are called where they were left out. */
  readonly droppedThoughts: string;
  /** The dialect's words for failures. */
  readonly kinds: {
    readonly badRequest: unknown;
    readonly wrongKey: unknown;
    readonly forbidden: unknown;
    readonly unknownModel: unknown;
    readonly upstream: unknown;
    readonly unavailable: unknown;
  };
  /** The SDK's classes for them. */
  readonly errorTypes: {
    readonly badRequest: string;
    readonly upstream: string;
    readonly unavailable: string;
  };
  open(deployment: Deployment, setup: Setup): Conversation;
  /** @throws what is no error of the SDK. */
  readFailure(error: unknown): ClientFailure;
  listModels(deployment: Deployment): Promise<readonly string[]>;
  /** The name that the dialect gives one model. */
  showModel(deployment: Deployment, model: string): Promise<string | undefined>;
}
