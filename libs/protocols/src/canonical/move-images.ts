import type { Block, Turn } from './blocks.js';

/** What stands before images in the turn of the user after the one that they were made in. */
const LABEL = 'Images of the answer above:';

/**
 * The turns with the images that a model made in the turn of the user after it: an answer that goes to another protocol cannot
 * hold them, and what is said next is often about them.
 */
export function moveImages(turns: readonly Turn[]): readonly Turn[] {
  if (!turns.some((turn) => turn.role === 'assistant' && turn.blocks.some(isImage))) return turns;
  const moved: Turn[] = [];
  let images: Block[] = [];
  for (const turn of turns) {
    if (turn.role !== 'assistant') {
      const blocks = turn.role === 'user' ? [...label(images), ...turn.blocks] : turn.blocks;
      if (turn.role === 'user') images = [];
      moved.push({ ...turn, blocks });
      continue;
    }
    for (const block of turn.blocks) if (isImage(block)) images.push(block);
    moved.push({ ...turn, blocks: turn.blocks.filter((block) => !isImage(block)) });
  }
  return images.length === 0 ? moved : [...moved, { role: 'user', blocks: label(images) }];
}

function isImage(block: Block): boolean {
  return block.type === 'media' && block.kind === 'image';
}

function label(images: readonly Block[]): readonly Block[] {
  return images.length === 0 ? [] : [{ type: 'text', text: LABEL }, ...images];
}
