import { hasCarriedSignature } from '../canonical/carry-signature.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import type { OpenAiChatTraits } from './traits.js';

/** Members of an assistant's message that look-alikes know and OpenAI refuses. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

/**
 * Whether a conversation holds turns of another provider: signatures that were carried for it, or reasoning in a message
 * to models that take none.
 */
export function hasForeignMessages(body: Buffer, parsed: JsonObject, traits: OpenAiChatTraits): boolean {
  if (hasCarriedSignature(body)) return true;
  return traits.acceptsReasoningFields === false && readObjects(parsed.messages).some(hasReasoning);
}

function hasReasoning(message: JsonObject): boolean {
  const isSet = (field: string) => message[field] !== undefined && message[field] !== null;
  return (
    THOUGHT_FIELDS.some(isSet) ||
    readObjects(message.tool_calls).some((call) => call.extra_content !== undefined)
  );
}
