import { isObject, type JsonObject } from '../json.js';

/** The text that a chunk or a whole answer carries, of every choice: what a tokenizer counts where usage is missing. */
export function readProducedText(answer: JsonObject): string {
  if (!Array.isArray(answer.choices)) return '';
  let text = '';
  for (const choice of answer.choices) {
    if (isObject(choice)) text += readMessageText(choice.delta ?? choice.message);
  }
  return text;
}

/** A first choice that is one piece of text without escapes. A string in JSON holds no bare quotes, so none can look like it. */
const PLAIN_CHOICE =
  /"choices": ?\[\{"index": ?\d+, ?"delta": ?\{(?:"role": ?"assistant", ?)?"content": ?"([^"\\]*)"\}/;

/** The text of a chunk with one plain choice, as nearly all are, without parsing it; `undefined` for any other chunk. */
export function readPlainChunkText(data: string): string | undefined {
  const plain = PLAIN_CHOICE.exec(data);
  return plain && !data.includes('"delta"', plain.index + plain[0].length) ? plain[1] : undefined;
}

function readMessageText(message: unknown): string {
  if (!isObject(message)) return '';
  let text = '';
  for (const key of ['content', 'reasoning_content', 'reasoning', 'refusal'] as const) {
    const value = message[key];
    if (typeof value === 'string') text += value;
  }
  if (isObject(message.function_call)) text += readCallText(message.function_call);
  if (Array.isArray(message.tool_calls)) {
    for (const call of message.tool_calls) {
      if (isObject(call) && isObject(call.function)) text += readCallText(call.function);
    }
  }
  return text;
}

function readCallText(call: JsonObject): string {
  const name = typeof call.name === 'string' ? call.name : '';
  const args = typeof call.arguments === 'string' ? call.arguments : '';
  return name + args;
}
