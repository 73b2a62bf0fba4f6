import { readObject, readText } from '../canonical/read-fields.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import { isObject, type JsonObject } from '../json.js';

/** The text that a stream's event or a whole message carries: what a tokenizer counts where usage is missing. */
export function listMessagesTexts({ content, content_block: block, delta }: JsonObject): TextPieces {
  if (Array.isArray(content)) return listContentTexts(content);
  if (isObject(block)) return listBlockTexts(block);
  return isObject(delta) ? [readText(delta.text ?? delta.thinking ?? delta.partial_json) ?? ''] : [];
}

function* listContentTexts(content: readonly unknown[]): TextPieces {
  for (const block of content) yield* listBlockTexts(readObject(block) ?? {});
}

function* listBlockTexts({ text, thinking, name, input }: JsonObject): TextPieces {
  for (const value of [text, thinking, name]) yield readText(value) ?? '';
  if (isObject(input) && Object.keys(input).length > 0) yield input;
}
