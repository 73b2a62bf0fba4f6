import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How models behind the Responses API differ from each other. */
export interface OpenAiResponsesTraits extends ModelTraits {
  /** System turns go out with the role `developer`. */
  readonly supportsDeveloperRole?: boolean;
  /** OpenAI's fields of its own are understood: metadata, keys of caches, verbosity. */
  readonly supportsOpenAiFields?: boolean;
  /** Field that names the end user; `safety_identifier` when left out. */
  readonly userField?: 'user' | 'safety_identifier' | 'none';
  /**
   * The model thinks unasked: its reasoning is asked for in encrypted form, since nothing is stored and it has to come
   * back. Models that do not think refuse to be asked.
   */
  readonly thinksByDefault?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type OpenAiResponsesContext = EncodeContext<OpenAiResponsesTraits>;
