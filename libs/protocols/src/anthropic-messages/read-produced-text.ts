import { isObject, type JsonObject } from '../json.js';

/** The text that a stream's event or a whole message carries: what a tokenizer counts where usage is missing. */
export function readMessagesProducedText(answer: JsonObject): string {
  if (Array.isArray(answer.content)) return answer.content.map(readBlockText).join('');
  if (isObject(answer.content_block)) return readBlockText(answer.content_block);
  return isObject(answer.delta) ? readDeltaText(answer.delta) : '';
}

function readBlockText(block: unknown): string {
  if (!isObject(block)) return '';
  let text = '';
  for (const key of ['text', 'thinking', 'name'] as const) {
    const value = block[key];
    if (typeof value === 'string') text += value;
  }
  if (isObject(block.input) && Object.keys(block.input).length > 0) text += JSON.stringify(block.input);
  return text;
}

function readDeltaText(delta: JsonObject): string {
  const text = delta.text ?? delta.thinking ?? delta.partial_json;
  return typeof text === 'string' ? text : '';
}
