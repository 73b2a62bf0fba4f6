import type { Block, Turn } from './blocks.js';
import { keepPlace } from './places.js';

/** What stands before pictures in the turn of the user after the one that they were made in. */
const LABEL = 'Pictures of the answer above:';

/**
 * The turns with the pictures that a model made in the turn of the user after it: an answer that goes to another protocol cannot
 * hold them, and what is said next is often about them.
 */
export function moveImages(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some((turn) => turn.role === 'assistant' && turn.blocks.some(isImage))) return turns;
  const moved: Turn[] = [];
  let pictures: readonly Block[] = [];
  for (const turn of turns) {
    if (turn.role !== 'assistant') {
      const blocks = turn.role === 'user' ? [...label(pictures), ...turn.blocks] : turn.blocks;
      if (turn.role === 'user') pictures = [];
      moved.push(keepPlace(turn, { ...turn, blocks }));
      continue;
    }
    pictures = [...pictures, ...turn.blocks.filter(isImage)];
    moved.push(keepPlace(turn, { ...turn, blocks: turn.blocks.filter((block) => !isImage(block)) }));
  }
  return pictures.length === 0 ? moved : [...moved, { role: 'user', blocks: label(pictures) }];
}

function isImage(block: Block): boolean {
  return block.type === 'media' && block.kind === 'image';
}

function label(pictures: readonly Block[]): readonly Block[] {
  return pictures.length === 0 ? [] : [{ type: 'text', text: LABEL }, ...pictures];
}
