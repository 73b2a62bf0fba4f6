import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How models behind chat completions differ from OpenAI's. */
export interface OpenAiChatTraits extends ModelTraits {
  /** Field of the cap on an answer; `max_completion_tokens` when left out. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** `max_tokens` does not count reasoning; where the model also knows `max_completion_tokens`, that does. */
  readonly maxTokensExcludesReasoning?: boolean;
  /** `max_completion_tokens` and messages of the role `developer` are understood; `true` when left out. */
  readonly supportsMaxCompletionTokens?: boolean;
  /** System turns go out with the role `developer`. */
  readonly supportsDeveloperRole?: boolean;
  /** `stream_options` is understood; `true` when left out. */
  readonly supportsStreamUsage?: boolean;
  /** Stop sequences are accepted, `true` when left out; otherwise the gateway cuts the answer itself. */
  readonly supportsStop?: boolean;
  /** OpenAI's fields of its own are understood: metadata, keys of caches, verbosity. */
  readonly supportsOpenAiFields?: boolean;
  /** Field that names the end user; `safety_identifier` when left out. */
  readonly userField?: 'user' | 'safety_identifier' | 'none';
  /** Field that carries reasoning, in and out; `reasoning_content` when left out. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** A message may carry reasoning, in whatever field; `true` when left out. */
  readonly acceptsReasoningFields?: boolean;
  /** The model thinks by itself, and refuses calls since the last question that come without the reasoning behind them. */
  readonly requiresReasoningReplay?: boolean;
  /** Answers differ from OpenAI's in what its clients read, and are converted for them too. */
  readonly needsResponseConversion?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type OpenAiChatContext = EncodeContext<OpenAiChatTraits>;
