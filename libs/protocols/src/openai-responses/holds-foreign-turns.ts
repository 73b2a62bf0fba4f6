import { holdsCarriedSignature } from '../canonical/carry-signature.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/**
 * Whether a conversation holds turns of another provider: encrypted thoughts that were carried for it, or plain ones.
 * OpenAI looks those up in its store, where the caller wants nothing stored; what is stored may be its own.
 */
export function holdsForeignItems(body: Buffer, parsed: JsonObject): boolean {
  if (holdsCarriedSignature(body)) return true;
  return parsed.store === false && readObjects(parsed.input).some(isPlainThought);
}

function isPlainThought(item: JsonObject): boolean {
  return item.type === 'reasoning' && !item.encrypted_content;
}
