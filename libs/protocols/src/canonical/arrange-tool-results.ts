import type { Block, ToolCallBlock, ToolResultBlock, Turn } from './blocks.js';
import { LONGEST_SHOWN } from './name-opaque.js';
import { placeOf } from './places.js';
import { refuseField } from './refuse.js';
import type { Steps } from './steps.js';

/** What stands for the result of a call that has none: every protocol wants one for each call. */
const NO_RESULT = 'No result was given for this call.';

/**
 * Puts every result of a tool directly after the turn that called it, in a user turn of results alone, and the other
 * blocks of that turn after it: protocols refuse anything in between. A call without a result gets one that says so.
 *
 * @throws GatewayError for a result that answers no call.
 */
export function* arrangeToolResults(turns: readonly Turn[]): Steps<Turn[]> {
  const arranged: Turn[] = [];
  /** By their ids, since a turn may have thousands. */
  let calls: ReadonlyMap<string, ToolCallBlock> = new Map();
  let results: ToolResultBlock[] = [];
  let following: Turn[] = [];

  const flush = () => {
    if (calls.size > 0) arranged.push({ role: 'user', blocks: completeResults(calls, results) });
    arranged.push(...following);
    calls = new Map();
    results = [];
    following = [];
  };

  for (const turn of turns) {
    yield;
    if (turn.role === 'assistant') {
      flush();
      arranged.push(turn);
      calls = mapCalls(turn.blocks);
      continue;
    }
    const rest: Block[] = [];
    for (const block of turn.blocks) {
      if (block.type !== 'tool-result') rest.push(block);
      else results.push(checkResult(block, calls));
    }
    if (rest.length === turn.blocks.length) following.push(turn);
    else if (rest.length > 0) following.push({ ...turn, blocks: rest });
  }
  flush();
  return arranged;
}

/** Of several calls with the same id the first counts. */
function mapCalls(blocks: readonly Block[]): ReadonlyMap<string, ToolCallBlock> {
  const calls = new Map<string, ToolCallBlock>();
  for (const block of blocks) {
    if (block.type === 'tool-call' && !calls.has(block.id)) calls.set(block.id, block);
  }
  return calls;
}

function checkResult(result: ToolResultBlock, calls: ReadonlyMap<string, ToolCallBlock>): ToolResultBlock {
  const call = calls.get(result.callId);
  if (!call) {
    return refuseField(
      placeOf(result, 'messages'),
      `answers the call ${JSON.stringify(result.callId.slice(0, LONGEST_SHOWN))}, which is not in the assistant's turn before it`,
    );
  }
  return result.name === undefined ? { ...result, name: call.name } : result;
}

function completeResults(
  calls: ReadonlyMap<string, ToolCallBlock>,
  results: readonly ToolResultBlock[],
): readonly ToolResultBlock[] {
  const answered = new Set(results.map(({ callId }) => callId));
  const missing = [...calls.values()].filter(({ id }) => !answered.has(id));
  if (missing.length === 0) return results;
  return [
    ...results,
    ...missing.map((call): ToolResultBlock => ({
      type: 'tool-result',
      callId: call.id,
      name: call.name,
      content: [{ type: 'text', text: NO_RESULT }],
      isError: true,
    })),
  ];
}
