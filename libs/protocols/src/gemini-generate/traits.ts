import type { EncodeContext } from '../canonical/codec.js';
import type { ModelTraits } from '../canonical/model-traits.js';

/** How models behind Google's generateContent differ: most of it between the generations before and since 3.0. */
export interface GeminiGenerateTraits extends ModelTraits {
  /** Thinking is asked for by level, and not by a budget in tokens. */
  readonly supportsThinkingLevels?: boolean;
  /** Budgets of thinking in tokens that are accepted; 0 to 24,576 when left out. */
  readonly thinkingBudget?: { readonly min: number; readonly max: number };
  /** The first call of a turn in the history must carry the signature that the model gave it. */
  readonly requiresCallSignatures?: boolean;
  /** A single part may set its resolution. */
  readonly supportsMediaResolution?: boolean;
  /** Results of tools may hold media. */
  readonly supportsMediaInResults?: boolean;
  /** A schema for the answer may stand beside tools; `true` when left out. */
  readonly supportsSchemaWithTools?: boolean;
  /** Calls and their results may carry ids; `true` when left out. */
  readonly supportsCallIds?: boolean;
}

/** The model and channel that a request of this protocol is written for. */
export type GeminiGenerateContext = EncodeContext<GeminiGenerateTraits>;
