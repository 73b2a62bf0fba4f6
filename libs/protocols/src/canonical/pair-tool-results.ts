import type { Block, ToolCallBlock, ToolResultBlock, Turn } from './blocks.js';
import { refuseField } from './refuse.js';

const NO_RESULT = 'The call was not answered.';

/**
 * Turns in which every call is answered before the assistant speaks again, as most protocols demand: calls that nobody
 * answered get a result that says so, in a user turn of its own, and every result knows the name of its tool.
 *
 * @throws GatewayError `invalid_request` for a result of a call that no earlier turn made.
 */
export function pairToolResults(turns: readonly Turn[]): Turn[] {
  const names = new Map<string, string>();
  const paired: Turn[] = [];
  turns.forEach((turn, index) => {
    if (turn.role !== 'assistant') {
      paired.push({ ...turn, blocks: turn.blocks.map((block) => nameResult(block, names)) });
      return;
    }
    paired.push(turn);
    const calls = turn.blocks.filter((block) => block.type === 'tool-call');
    if (calls.length === 0) return;
    for (const call of calls) names.set(call.id, call.name);
    const answered = findAnswers(turns, index + 1);
    const missing = calls.filter((call) => !answered.has(call.id));
    if (missing.length > 0) paired.push({ role: 'user', blocks: missing.map(answerInstead) });
  });
  return paired;
}

/** Ids of the calls that are answered from here until the assistant speaks again. */
function findAnswers(turns: readonly Turn[], from: number): Set<string> {
  const answered = new Set<string>();
  for (let index = from; turns[index] !== undefined && turns[index]?.role !== 'assistant'; index++) {
    for (const block of turns[index]?.blocks ?? []) {
      if (block.type === 'tool-result') answered.add(block.callId);
    }
  }
  return answered;
}

function answerInstead(call: ToolCallBlock): ToolResultBlock {
  return {
    type: 'tool-result',
    callId: call.id,
    name: call.name,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
  };
}

function nameResult(block: Block, names: ReadonlyMap<string, string>): Block {
  if (block.type !== 'tool-result') return block;
  const name = names.get(block.callId);
  if (name === undefined) {
    refuseField('messages', `hold a result of the tool call "${block.callId}", which no earlier turn made`);
  }
  return block.name === name ? block : { ...block, name };
}
