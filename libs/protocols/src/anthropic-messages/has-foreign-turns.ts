import { hasCarriedSignature } from '../canonical/carry-signature.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import type { AnthropicMessagesTraits } from './traits.js';

/**
 * Whether a conversation holds turns of another provider: signatures that were carried for it, or reasoning without one,
 * which only models that sign nothing take back.
 */
export function hasForeignMessages(
  body: Buffer,
  parsed: JsonObject,
  traits: AnthropicMessagesTraits,
): boolean {
  if (hasCarriedSignature(body)) return true;
  return traits.acceptsReasoningHistory !== true && readObjects(parsed.messages).some(hasUnsignedThinking);
}

function hasUnsignedThinking(turn: JsonObject): boolean {
  return readObjects(turn.content).some((block) => block.type === 'thinking' && !block.signature);
}
