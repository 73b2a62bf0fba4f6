import { isObject } from '../json.js';
import type { OpaqueBlock } from './blocks.js';

/** Of a name that somebody is told, in characters: the caller may have chosen megabytes. */
export const LONGEST_SHOWN = 200;

/** What a block that only its own protocol knows is called there: by its type, else by the member that holds its content. */
export function nameOpaque({ raw }: OpaqueBlock): string {
  const name =
    typeof raw.type === 'string'
      ? raw.type
      : (Object.keys(raw).find((key) => isObject(raw[key])) ?? 'content');
  return name.slice(0, LONGEST_SHOWN);
}
