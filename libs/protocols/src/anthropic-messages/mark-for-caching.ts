import { isBlank } from '../canonical/blank-text.js';
import type { Block, Turn } from '../canonical/blocks.js';
import type { CanonicalRequest } from '../canonical/request.js';

const HOME = 'anthropic-messages';
const MARK = { cache_control: { type: 'ephemeral' } };

/**
 * Marks what the next turn of a conversation will begin with: tools and system prompt, and all that was said so far. What is
 * asked once - no tools, no answer yet - is left alone: writing to the cache costs more than reading it once saves.
 */
export function markForCaching(request: CanonicalRequest): CanonicalRequest {
  const { turns, tools } = request;
  const isGoingOn = tools.length > 0 || turns.some(({ role }) => role === 'assistant');
  if (!isGoingOn) return request;
  const firstOther = turns.findIndex(({ role }) => role !== 'system');
  const lastSystem = (firstOther < 0 ? turns.length : firstOther) - 1;
  const marked = turns.map((turn, index) =>
    index === lastSystem || index === turns.length - 1 ? markTurn(turn) : turn,
  );
  // A marked system prompt has the tools before it in the cache.
  if (lastSystem >= 0) return { ...request, turns: marked };
  const withMark = tools.map((tool, index) =>
    index < tools.length - 1 ? tool : { ...tool, ext: addMark(tool.ext) },
  );
  return { ...request, turns: marked, tools: withMark };
}

/** The turn with a mark on its last block that can have one. */
function markTurn(turn: Turn): Turn {
  const last = turn.blocks.findLastIndex(isMarkable);
  const blocks = turn.blocks.map((block, index) =>
    index === last && block.type !== 'opaque' ? { ...block, ext: addMark(block.ext) } : block,
  );
  return { ...turn, blocks };
}

function isMarkable(block: Block): boolean {
  if (block.type === 'text') return !isBlank(block.text);
  return block.type === 'tool-result' || block.type === 'tool-call' || block.type === 'media';
}

function addMark(ext: CanonicalRequest['ext'] | undefined): CanonicalRequest['ext'] {
  return { ...ext, [HOME]: { ...ext?.[HOME], ...MARK } };
}
