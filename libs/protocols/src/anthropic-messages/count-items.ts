import { countHeld, countIn, weighBlocks } from '../canonical/limit-items.js';
import { readList } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: blocks and citations. */
export function countMessageItems({ content }: JsonObject): number {
  const blocks = readList(content);
  return countHeld(blocks, ({ citations }) => countIn([citations]), weighBlocks(blocks.length));
}
