import { z } from 'zod';
import { MOST_CHOICES } from '../canonical/limit-items.js';
import {
  checkedApartIfGiven,
  flag,
  integerFrom,
  modelName,
  numberFrom,
  text,
  tokenId,
} from '../schema/fields.js';

export const MAX_PROMPTS = 2_048;
/** Length of an answer for which the caller set no cap, by the definition of this protocol. */
export const DEFAULT_MAX_TOKENS = 16;
/** Most choices of an answer: so many of each prompt. */
export const MOST_COMPLETIONS = MAX_PROMPTS * MOST_CHOICES;
const MAX_TOKENS = 10_000_000;
const MAX_LOGPROBS = 100;

const tokens = z.array(tokenId).min(1);
const prompt = z.union([
  z.string(),
  z.array(z.string()).min(1).max(MAX_PROMPTS),
  tokens,
  z.array(tokens).min(1).max(MAX_PROMPTS),
]);

/** @see https://platform.openai.com/docs/api-reference/completions/create */
export const completionRequest = z.looseObject({
  model: modelName,
  prompt: checkedApartIfGiven(prompt).meta({
    description: 'A text; several texts, or tokens, where the channel speaks this protocol itself.',
  }),
  stream: flag.nullish(),
  echo: flag.nullish(),
  temperature: numberFrom(0, 2).nullish(),
  top_p: numberFrom(0, 1).nullish(),
  logprobs: integerFrom(0, MAX_LOGPROBS).nullish(),
  suffix: text.nullish(),
  n: integerFrom(1, MOST_CHOICES).nullish(),
  best_of: integerFrom(0, MOST_CHOICES).nullish(),
  max_tokens: integerFrom(0, MAX_TOKENS).nullish().meta({ default: DEFAULT_MAX_TOKENS }),
  stream_options: z.looseObject({ include_usage: flag.nullish() }, 'must be an object').nullish(),
});
