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

function readMessageText(message: unknown): string {
  if (!isObject(message)) return '';
  let text = '';
  for (const key of ['content', 'reasoning_content', 'reasoning', 'refusal'] as const) {
    const value = message[key];
    if (typeof value === 'string') text += value;
  }
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
