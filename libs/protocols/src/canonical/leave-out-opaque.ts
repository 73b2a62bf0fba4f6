import type { OpaqueBlock } from './blocks.js';
import type { EncodeContext } from './codec.js';
import { nameOpaque } from './name-opaque.js';
import { refuseContent } from './refuse.js';

/** What another protocol's model did by itself is history; what its user said cannot be left out. */
export function leaveOutOpaque(
  block: OpaqueBlock,
  role: 'user' | 'assistant',
  context: EncodeContext,
): undefined {
  const type = nameOpaque(block);
  if (role === 'user') refuseContent(block, `it has no content of type ${JSON.stringify(type)}`, context);
  context.dropped.add(`messages.${type}`);
  return undefined;
}
