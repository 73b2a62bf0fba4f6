import { readObject, readText } from '../canonical/read-fields.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import { isObject, type JsonObject } from '../json.js';

/** The text that a stream's event or a whole message carries: what a tokenizer counts where usage is missing. */
export function* listMessagesTexts(answer: JsonObject): TextPieces {
  if (Array.isArray(answer.content)) {
    for (const block of answer.content) yield* listBlockTexts(readObject(block) ?? {});
  } else if (isObject(answer.content_block)) yield* listBlockTexts(answer.content_block);
  else if (isObject(answer.delta)) {
    const { text, thinking, partial_json } = answer.delta;
    yield readText(text ?? thinking ?? partial_json) ?? '';
  }
}

function* listBlockTexts({ text, thinking, name, input }: JsonObject): TextPieces {
  for (const value of [text, thinking, name]) yield readText(value) ?? '';
  if (isObject(input) && Object.keys(input).length > 0) yield input;
}
