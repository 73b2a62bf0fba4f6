import type { Target } from '../canonical/codec.js';
import type { ReasoningEffort } from '../canonical/request.js';

/** How a generation of Google's models differs from the one before it. */
export interface GeminiTraits {
  /** Thinking is asked for by level; before, by budget in tokens. */
  readonly levels: boolean;
  readonly efforts: readonly ReasoningEffort[];
  readonly minBudget: number;
  readonly maxBudget: number;
  /** Calls in the history have to carry a signature. */
  readonly signsCalls: boolean;
  /** A single part may set its resolution. */
  readonly mediaResolution: boolean;
  /** Results of tools may hold media. */
  readonly mediaInResults: boolean;
  /** A schema for the answer may stand beside tools. */
  readonly schemaWithTools: boolean;
}

/** Traits as the channel names them, or as the model's name tells: before 3.0 and since. */
export function readGeminiTraits({ upstreamModel, traits }: Target): GeminiTraits {
  const version = /gemini-(\d+)/.exec(upstreamModel)?.[1];
  const isNew = version === undefined ? upstreamModel.endsWith('-latest') : Number(version) >= 3;
  const levels = traits.adaptiveThinking ?? isNew;
  const isPro = upstreamModel.includes('pro');
  return {
    levels,
    efforts: traits.efforts ?? (isPro ? ['low', 'high'] : ['minimal', 'low', 'medium', 'high']),
    minBudget: isPro ? 128 : 0,
    maxBudget: isPro ? 32_768 : 24_576,
    signsCalls: isNew,
    mediaResolution: isNew,
    mediaInResults: isNew,
    schemaWithTools: isNew || version === undefined,
  };
}
