import { hasCarriedSignature } from '../canonical/carry-signature.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { isReasoningReference } from './decode-input.js';

/**
 * Whether a conversation holds turns of another provider: encrypted reasoning that were carried for it, or plain ones.
 * OpenAI looks those up by their id in the account that made them, and answers 404 in any other: which of a plan's
 * channels and keys that was is not recorded here.
 */
export function hasForeignItems(body: Buffer, parsed: JsonObject): boolean {
  if (hasCarriedSignature(body)) return true;
  return readObjects(parsed.input).some((item) => isPlainReasoning(item) || isReasoningReference(item));
}

function isPlainReasoning(item: JsonObject): boolean {
  return item.type === 'reasoning' && !item.encrypted_content;
}
