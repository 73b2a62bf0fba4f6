import { isObject } from '../json.js';
import type { OpaqueBlock } from './blocks.js';

/** What a block that only its own protocol knows is called there: by its type, else by the member that holds its content. */
export function nameOpaque({ raw }: OpaqueBlock): string {
  if (typeof raw.type === 'string') return raw.type;
  return Object.keys(raw).find((key) => isObject(raw[key])) ?? 'content';
}
