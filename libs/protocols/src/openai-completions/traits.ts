import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How models behind text completions differ from OpenAI's. */
export interface OpenAiCompletionsTraits extends ModelTraits {
  /** `stream_options` is understood; `true` when left out. */
  readonly supportsStreamUsage?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type OpenAiCompletionsContext = EncodeContext<OpenAiCompletionsTraits>;
