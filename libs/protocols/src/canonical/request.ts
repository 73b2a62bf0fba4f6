import type { Extensions, ProtocolName, Turn } from './blocks.js';
import type { JsonObject } from '../json.js';
import type { ToolOrigin } from './tool-origin.js';
import type { WebSearch } from './web-search.js';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of the arguments; `undefined` when the tool takes none. */
  readonly parameters: JsonObject | undefined;
  readonly strict: boolean | undefined;
  readonly ext?: Extensions;
  /** Present where it was declared in a form that only one protocol has. */
  readonly origin?: ToolOrigin;
}

/** A tool that the provider runs itself: search, code, fetch. Only its own protocol knows it. */
export interface ServerTool {
  readonly protocol: ProtocolName;
  readonly name: string;
  readonly raw: JsonObject;
  /** The caller runs it, but only its own protocol can declare it (a grammar, a computer): it cannot be left out. */
  readonly runsAtClient?: boolean;
  /** A search of the web, which other protocols' providers may run as well. */
  readonly search?: WebSearch;
  /** A setting rather than one tool among others: an answer without it would be another. */
  readonly required?: boolean;
}

/** Which tools may or must be called. `names` limits the choice to some of those declared. */
export type ToolChoice =
  | { readonly mode: 'auto' | 'any'; readonly names?: readonly string[] }
  | { readonly mode: 'one'; readonly name: string }
  | { readonly mode: 'none' };

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** How much a model should think. Protocols say it as an effort or as a budget in tokens. */
export interface ReasoningRequest {
  readonly effort: ReasoningEffort | undefined;
  readonly budgetTokens: number | undefined;
  /** Whether the model decides by itself how long to think. */
  readonly adaptive: boolean;
  /** Whether reasoning is to be shown. */
  readonly show: boolean | undefined;
}

export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema';
      readonly name: string | undefined;
      readonly schema: JsonObject;
      readonly strict: boolean | undefined;
    };

/** A chat request free of any wire format. What has no place here travels in `ext`. */
export interface CanonicalRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Whether a streaming client asked for usage. */
  readonly includeUsage: boolean;
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolDefinition[];
  readonly serverTools: readonly ServerTool[];
  readonly toolChoice: ToolChoice | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly stop: readonly string[];
  readonly seed: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly choices: number;
  readonly logprobs: { readonly top: number } | undefined;
  readonly reasoning: ReasoningRequest | undefined;
  readonly output: OutputFormat | undefined;
  /** Who the end user is, as the client's operator calls them. */
  readonly user: string | undefined;
  /** As OpenAI names them: `auto`, `default`, `flex`, `priority`. */
  readonly serviceTier: string | undefined;
  /** Fields of the client's protocol that have no canonical place: given back to that protocol, else dropped and named. */
  readonly ext: Extensions;
}
