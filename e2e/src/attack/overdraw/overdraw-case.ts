import type { Json } from '@mg/testkit';

/** Models of this attack, each with a channel to the provider that meters the most expensive reading. */
export type ModelName =
  | 'openai'
  | 'anthropic'
  | 'gemini'
  | 'compatible'
  | 'plain'
  | 'qwen'
  | 'embed'
  | 'embed-gemini'
  | 'paint'
  | 'draw'
  | 'vary'
  | 'hear'
  | 'say'
  | 'moderate'
  | 'rank'
  | 'film'
  | 'film-generic'
  | 'native'
  | 'native-claude'
  | 'talk';

/** One request that may be made to cost more than was held for it. */
export interface OverdrawCase {
  readonly name: string;
  readonly model: ModelName;
  /** With `{model}` where the model's slug belongs. */
  readonly path: string;
  /** A body for the model of this slug: JSON, or a form. */
  readonly write: (model: string) => Json | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens that the provider finds in the prompt; a whole context by default. */
  readonly promptTokens?: number;
  /** It must not reach the provider at all. */
  readonly refused?: true;
  /** When its callers leave: before its stream begins, or when all but its end is there. */
  readonly leaves?: 'before' | 'within';
  /** Whether it goes on to its end all the same. */
  readonly runsOn?: true;
  /** Whether the provider reports no usage. */
  readonly tellsNothing?: true;
  /** Whether the provider says ten times as much as it was told: its callers pay, whatever they have. */
  readonly ignoresCap?: true;
  /** Whether it is no part of the tests. */
  readonly fullSizeOnly?: true;
}
