import { hasCarriedSignature } from '../canonical/carry-signature.js';
import { readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';
import type { GeminiGenerateTraits } from './traits.js';

/**
 * Whether a conversation holds turns of another provider: signatures that were carried for it, or calls without the
 * signature that Google's models since 3.0 put on the first call of a turn, and refuse a turn without.
 *
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function hasForeignContents(body: Buffer, parsed: JsonObject, traits: GeminiGenerateTraits): boolean {
  if (hasCarriedSignature(body)) return true;
  return traits.requiresCallSignatures === true && readObjects(parsed.contents).some(beginsUnsigned);
}

function beginsUnsigned(turn: JsonObject): boolean {
  const call = readObjects(turn.parts).find((part) => isObject(part.functionCall ?? part.function_call));
  return call !== undefined && (call.thoughtSignature ?? call.thought_signature) === undefined;
}
