import { readObject, readObjects } from '../canonical/read-fields.js';
import type { Steps } from '../canonical/steps.js';
import { listAllJsonTexts } from '../canonical/text-of-json.js';
import { joinPieces } from '../canonical/text-pieces.js';
import type { JsonObject } from '../json.js';
import { listItemTexts } from './read-produced-text.js';

/** The texts of a request that a tokenizer counts where the upstream reported no usage: instructions, input, tools and a schema. */
export function* listResponsesPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  if (typeof request.instructions === 'string') texts.push(request.instructions);
  if (typeof request.input === 'string') texts.push(request.input);
  for (const item of readObjects(request.input)) {
    yield;
    if (typeof item.role === 'string') texts.push(item.role);
    texts.push(joinPieces(listItemTexts(item)));
    for (const text of yield* listAllJsonTexts([item.action, item.tools, item.operation])) texts.push(text);
    for (const { stdout, stderr } of readObjects(item.output)) {
      for (const text of [stdout, stderr]) if (typeof text === 'string') texts.push(text);
    }
  }
  const format = readObject(request.text)?.format;
  for (const text of yield* listAllJsonTexts([request.tools, format])) texts.push(text);
  return texts;
}
