import { MOST_CHOICES } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer, or in a chunk of one: the choices of one prompt. Several prompts are never converted. */
export function countCompletionItems({ choices }: JsonObject): number {
  const { length } = readList(choices);
  return length > MOST_CHOICES ? Infinity : length;
}
