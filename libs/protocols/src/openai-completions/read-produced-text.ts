import { readList, readObject, readText } from '../canonical/read-fields.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import type { JsonObject } from '../json.js';

/** The text that a chunk or a whole answer carries, of every choice: what a tokenizer counts where usage is missing. */
export function* listCompletionTexts(answer: JsonObject): TextPieces {
  for (const choice of readList(answer.choices)) yield readText(readObject(choice)?.text) ?? '';
}
