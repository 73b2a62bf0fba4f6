import { countIn } from '../canonical/limit-items.js';
import { readList, readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: blocks and citations. */
export function countMessageItems({ content }: JsonObject): number {
  const blocks = readList(content);
  return blocks.length + countIn(blocks.map((block) => readObject(block)?.citations));
}
