import { countIn } from '../canonical/limit-items.js';
import { readList, readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer: items, their parts and what is cited in them. */
export function countOutputItems({ output }: JsonObject): number {
  const items = readList(output);
  return items.reduce<number>((sum, item) => {
    const { content, summary } = readObject(item) ?? {};
    const cited = readList(content).map((part) => readObject(part)?.annotations);
    return sum + countIn([content, summary]) + countIn(cited);
  }, items.length);
}
