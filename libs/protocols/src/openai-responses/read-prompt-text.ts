import { readObjects } from '../canonical/read-fields.js';
import type { Steps } from '../canonical/steps.js';
import { listJsonTexts } from '../canonical/text-of-json.js';
import type { JsonObject } from '../json.js';
import { readItemText } from './read-produced-text.js';

/** The texts of a request that a tokenizer counts where the upstream reported no usage: instructions, input, tools. */
export function* listResponsesPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  if (typeof request.instructions === 'string') texts.push(request.instructions);
  if (typeof request.input === 'string') texts.push(request.input);
  for (const item of readObjects(request.input)) {
    yield;
    if (typeof item.role === 'string') texts.push(item.role);
    texts.push(readItemText(item));
  }
  if (Array.isArray(request.tools)) for (const text of yield* listJsonTexts(request.tools)) texts.push(text);
  return texts;
}
