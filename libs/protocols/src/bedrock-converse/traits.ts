import type { CachePlace } from '../canonical/carry-cache-marks.js';
import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How the models that Converse reaches differ from each other. */
export interface BedrockConverseTraits extends ModelTraits {
  /** Field by which a family of models is asked to think. */
  readonly effortField?: 'reasoningConfig' | 'reasoning_effort' | 'reasoning';
  /** Where marks of what is to be cached are accepted; nowhere when left out, since models that cache nothing refuse them. */
  readonly cachePoints?: readonly CachePlace[];
  /** A conversation may end in a turn of the assistant that is continued; `true` when left out. */
  readonly supportsPrefill?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type BedrockConverseContext = EncodeContext<BedrockConverseTraits>;
