import { countIn, MOST_CHOICES, weighBlocks } from '../canonical/limit-items.js';
import { readList, readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Everything that is converted one by one in an answer, or in a chunk of one. */
export function countChatItems({ choices }: JsonObject): number {
  const list = readList(choices);
  if (list.length > MOST_CHOICES) return Infinity;
  return list.reduce<number>((sum, choice) => {
    const { message, delta } = readObject(choice) ?? {};
    const said = readObject(message ?? delta) ?? {};
    const { content, tool_calls, images, annotations, thinking_blocks, reasoning_details } = said;
    const blocks = countIn([content, tool_calls, images, thinking_blocks, reasoning_details]);
    return sum + 1 + weighBlocks(blocks) + countIn([annotations]);
  }, 0);
}
