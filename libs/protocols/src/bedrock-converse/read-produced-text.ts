import { readList, readObject, readText } from '../canonical/read-fields.js';
import { asPiece, type TextPieces } from '../canonical/text-pieces.js';
import type { JsonObject } from '../json.js';

/** The text of an answer, reasoning and arguments included: what a tokenizer counts where usage is missing. */
export function* listConverseTexts(answer: JsonObject): TextPieces {
  const message = readObject(readObject(answer.output)?.message);
  for (const block of readList(message?.content)) yield* listBlockTexts(readObject(block) ?? {});
}

function* listBlockTexts(block: JsonObject): TextPieces {
  const call = readObject(block.toolUse);
  if (call) {
    yield readText(call.name) ?? '';
    yield asPiece(call.input ?? {});
    return;
  }
  const thought = readObject(readObject(block.reasoningContent)?.reasoningText);
  const text = readText(block.text) ?? readText(thought?.text);
  yield text ?? '';
  if (text !== undefined) return;
  for (const part of readList(readObject(block.citationsContent)?.content)) {
    yield readText(readObject(part)?.text) ?? '';
  }
}
