import { countHeld, countIn, weighBlocks } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: items, their parts and what is cited in them. */
export function countOutputItems({ output }: JsonObject): number {
  const countParts = ({ content, summary }: JsonObject) => {
    const parts = readList(content);
    const cited = countHeld(parts, ({ annotations }) => countIn([annotations]), weighBlocks(parts.length));
    return weighBlocks(countIn([summary])) + cited;
  };
  const items = readList(output);
  return countHeld(items, countParts, weighBlocks(items.length));
}
