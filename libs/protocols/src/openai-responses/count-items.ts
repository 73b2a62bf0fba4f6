import { countHeld, countIn } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: items, their parts and what is cited in them. */
export function countOutputItems({ output }: JsonObject): number {
  return countHeld(
    readList(output),
    ({ content, summary }) =>
      countIn([summary]) + countHeld(readList(content), ({ annotations }) => countIn([annotations])),
  );
}
