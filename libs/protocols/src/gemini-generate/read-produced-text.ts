import { readList, readObject, readText } from '../canonical/read-fields.js';
import { asPiece, type TextPieces } from '../canonical/text-pieces.js';
import type { JsonObject } from '../json.js';

/** The text that a chunk or a whole answer carries, of every candidate: what a tokenizer counts where usage is missing. */
export function listGeminiTexts(answer: JsonObject): TextPieces {
  const candidates = readList(answer.candidates);
  const parts = candidates.length === 1 ? listParts(candidates[0]) : [];
  // Nearly all events of a stream have one part, of text.
  const text = parts.length === 1 ? readText(readObject(parts[0])?.text) : undefined;
  return text === undefined ? listCandidateTexts(candidates) : [text];
}

function* listCandidateTexts(candidates: readonly unknown[]): TextPieces {
  for (const candidate of candidates) {
    yield '';
    for (const part of listParts(candidate)) yield* listPartTexts(readObject(part) ?? {});
  }
}

function listParts(candidate: unknown): readonly unknown[] {
  return readList(readObject(readObject(candidate)?.content)?.parts);
}

/** Words of a part: text, thoughts, code, and calls with their arguments. */
function* listPartTexts(part: JsonObject): TextPieces {
  const text = readPartText(part);
  yield text ?? '';
  const call = readObject(part.functionCall ?? part.function_call);
  if (text !== undefined || !call) return;
  yield readText(call.name) ?? '';
  const args = call.args ?? call.partialArgs;
  if (args !== undefined) yield asPiece(args);
}

/** Text, thoughts and code of a part. */
export function readPartText(part: JsonObject): string | undefined {
  return readText(part.text) ?? readText(readObject(part.executableCode)?.code);
}
