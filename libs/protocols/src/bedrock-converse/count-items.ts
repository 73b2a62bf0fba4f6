import { countHeld, countIn, weighBlocks } from '../canonical/limit-items.js';
import { readList, readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: blocks, and cited texts and citations within them. */
export function countConverseItems({ output }: JsonObject): number {
  const blocks = readList(readObject(readObject(output)?.message)?.content);
  const countCited = ({ citationsContent }: JsonObject) => {
    const { content, citations } = readObject(citationsContent) ?? {};
    return countIn([content, citations]);
  };
  return countHeld(blocks, countCited, weighBlocks(blocks.length));
}
