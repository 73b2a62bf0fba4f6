import { countIn } from '../canonical/limit-items.js';
import { readList, readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: blocks, and cited texts and citations within them. */
export function countConverseItems({ output }: JsonObject): number {
  const blocks = readList(readObject(readObject(output)?.message)?.content);
  return blocks.reduce<number>((sum, block) => {
    const { content, citations } = readObject(readObject(block)?.citationsContent) ?? {};
    return sum + countIn([content, citations]);
  }, blocks.length);
}
