import { holdsCarriedSignature } from '../canonical/carry-signature.js';
import type { Target } from '../canonical/codec.js';
import { readObjects } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/**
 * Whether a conversation holds turns of another provider: signatures that were carried for it, or thoughts without one,
 * which only models that sign nothing take back.
 */
export function holdsForeignMessages(body: Buffer, parsed: JsonObject, { traits }: Target): boolean {
  if (holdsCarriedSignature(body)) return true;
  return traits.replayReasoning !== true && readObjects(parsed.messages).some(holdsUnsignedThought);
}

function holdsUnsignedThought(turn: JsonObject): boolean {
  return readObjects(turn.content).some((block) => block.type === 'thinking' && !block.signature);
}
