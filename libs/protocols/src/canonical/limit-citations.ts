import type { Block } from './blocks.js';
import type { CanonicalEvent } from './events.js';
import { isCitable } from './limit-items.js';
import type { CanonicalReply } from './reply.js';

/** The reply, without its citations where its texts are too long for their places to be counted in one step. */
export function limitCitations(reply: CanonicalReply): CanonicalReply {
  const blocks = reply.choices.flatMap((choice) => choice.blocks);
  const characters = blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  if (isCitable(characters)) return reply;
  return {
    ...reply,
    choices: reply.choices.map((choice) => ({ ...choice, blocks: choice.blocks.map(withoutCitations) })),
  };
}

/** The same of an event of a stream; nothing is left of a citation. */
export function dropCitations(event: CanonicalEvent): readonly CanonicalEvent[] {
  if (event.type === 'block-delta' && event.delta.type === 'citation') return [];
  return event.type === 'block-start' ? [{ ...event, block: withoutCitations(event.block) }] : [event];
}

function withoutCitations(block: Block): Block {
  if (block.type !== 'text' || !block.citations) return block;
  const { citations: _, ...rest } = block;
  return rest;
}
