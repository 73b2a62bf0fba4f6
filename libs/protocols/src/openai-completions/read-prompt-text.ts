import type { Steps } from '../canonical/steps.js';
import type { JsonObject } from '../json.js';

/** A text of one token by any tokenizer: stands for a token of a prompt that came as numbers. */
const ONE_TOKEN = ' a';

/** What is counted stands in one text up to so many characters; longer ones are read in steps, and would be flattened in one. */
const MOST_JOINED = 256 * 1024;
/** Tokens that stand in one text. */
const TOKENS_OF_A_TEXT = 64 * 1024;

/** The texts of a request that a tokenizer counts where the upstream reported no usage: all prompts and the suffix. */
export function* listCompletionPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  const tokens = yield* collectPrompt(request.prompt, texts);
  if (typeof request.suffix === 'string') texts.push(request.suffix);
  for (let left = tokens; left > 0; left -= TOKENS_OF_A_TEXT) {
    texts.push(ONE_TOKEN.repeat(Math.min(left, TOKENS_OF_A_TEXT)));
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MOST_JOINED ? texts : [texts.join('')];
}

/** @returns how many tokens stand in it as numbers. */
function* collectPrompt(prompt: unknown, texts: string[]): Steps<number> {
  if (typeof prompt === 'string') texts.push(prompt);
  if (typeof prompt === 'number') return 1;
  if (!Array.isArray(prompt)) return 0;
  yield;
  let tokens = 0;
  for (const item of prompt) {
    if (typeof item === 'number') tokens++;
    else tokens += yield* collectPrompt(item, texts);
  }
  return tokens;
}
