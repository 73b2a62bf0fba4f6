import { sha256 } from '@mg/contract';
import type { TokenRow } from '@mg/persistence/console';

const SHOWN_PREFIX = 7;
const SHOWN_SUFFIX = 4;
/** Shorter keys would give too much of themselves away. */
const SHORTEST_SHOWN = 24;

/** What a token's row keeps of its key: the hash to find it by and its ends to recognise it by. */
export function describeApiKey(key: string): Pick<TokenRow, 'keyHash' | 'keyPrefix' | 'keyLast4'> {
  const isLong = key.length >= SHORTEST_SHOWN;
  return {
    keyHash: sha256(key),
    keyPrefix: key.slice(0, isLong ? SHOWN_PREFIX : 3),
    keyLast4: isLong ? key.slice(-SHOWN_SUFFIX) : '',
  };
}
