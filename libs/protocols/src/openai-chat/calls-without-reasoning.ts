import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Whether calls of the loop in progress stand without the reasoning that led to them. */
export function hasCallsWithoutReasoning(messages: unknown): boolean {
  const turns = readObjects(messages);
  const lastQuestion = turns.findLastIndex((turn) => turn.role === 'user');
  return turns
    .slice(lastQuestion + 1)
    .some((turn) => readObjects(turn.tool_calls).length > 0 && !hasReasoning(turn));
}

function hasReasoning({ reasoning_content: text, reasoning }: JsonObject): boolean {
  return [text, reasoning].some((value) => typeof value === 'string' && value !== '');
}
