import { readList, readObject, readText } from '../canonical/read-fields.js';
import type { TextPieces } from '../canonical/text-pieces.js';
import { isObject, type JsonObject } from '../json.js';

/** The text that a chunk or a whole answer carries, of every choice: what a tokenizer counts where usage is missing. */
export function* listChatTexts(answer: JsonObject): TextPieces {
  for (const choice of readList(answer.choices)) {
    const { delta, message } = readObject(choice) ?? {};
    yield* listMessageTexts(readObject(delta ?? message) ?? {});
  }
}

/** A first choice that is one piece of text without escapes. A string in JSON holds no bare quotes, so none can look like it. */
const PLAIN_CHOICE =
  /"choices": ?\[\{"index": ?\d+, ?"delta": ?\{(?:"role": ?"assistant", ?)?"content": ?"([^"\\]*)"\}/;

/** The text of a chunk with one plain choice, as nearly all are, without parsing it; `undefined` for any other chunk. */
export function readPlainChunkText(data: string): string | undefined {
  const plain = PLAIN_CHOICE.exec(data);
  return plain && !data.includes('"delta"', plain.index + plain[0].length) ? plain[1] : undefined;
}

function* listMessageTexts(message: JsonObject): TextPieces {
  for (const key of ['content', 'reasoning_content', 'reasoning', 'refusal'] as const) {
    yield readText(message[key]) ?? '';
  }
  if (isObject(message.function_call)) yield* listCallTexts(message.function_call);
  for (const call of readList(message.tool_calls)) {
    yield* listCallTexts(readObject(readObject(call)?.function) ?? {});
  }
}

function* listCallTexts(call: JsonObject): TextPieces {
  yield readText(call.name) ?? '';
  yield readText(call.arguments) ?? '';
}
