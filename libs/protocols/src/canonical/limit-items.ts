import type { Block } from './blocks.js';
import { refuseField } from './refuse.js';

/**
 * Most parts, calls and results in one turn of a request that is converted, those within results among them. It takes some
 * milliseconds; between two turns others have theirs. Google takes 3,600 images, others hundreds.
 */
const MOST_IN_TURN = 4_000;
/** Most tools of a request that is converted. Providers take 128 to 1,024. */
const MOST_TOOLS = 2_000;

/** @throws GatewayError `invalid_request` where a turn, or a part of it, holds more than is converted. */
export function limitTurn(items: number, name: string): void {
  if (items > MOST_IN_TURN) refuseField(name, `must hold at most ${MOST_IN_TURN} items`);
}

/**
 * The items of a list and of the lists that they hold.
 *
 * @param listOf what an item holds.
 */
export function countNested<T>(items: readonly T[], listOf: (item: T) => unknown): number {
  let count = items.length;
  for (const item of items) {
    const list = listOf(item);
    if (Array.isArray(list)) count += list.length;
  }
  return count;
}

/** Blocks, and what results among them hold. */
export function countItems(blocks: readonly Block[]): number {
  return countNested(blocks, (block) => (block.type === 'tool-result' ? block.content : undefined));
}

/** @throws GatewayError `invalid_request` where a request has more tools than are converted. */
export function limitTools(tools: unknown, name = 'tools'): void {
  if (Array.isArray(tools) && tools.length > MOST_TOOLS) {
    refuseField(name, `must hold at most ${MOST_TOOLS} tools`);
  }
}
