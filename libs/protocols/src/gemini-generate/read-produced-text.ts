import { readObject, readObjects } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** The text that a chunk or a whole answer carries, of every candidate: what a tokenizer counts where usage is missing. */
export function readGeminiProducedText(answer: JsonObject): string {
  let text = '';
  for (const candidate of readObjects(answer.candidates)) {
    for (const part of readObjects(readObject(candidate.content)?.parts)) text += readPartText(part);
  }
  return text;
}

/** Words of a part: text, thoughts, code, and calls with their arguments. */
export function readPartText(part: JsonObject): string {
  if (typeof part.text === 'string') return part.text;
  if (isObject(part.executableCode) && typeof part.executableCode.code === 'string') {
    return part.executableCode.code;
  }
  const call = part.functionCall ?? part.function_call;
  if (!isObject(call)) return '';
  const args = call.args ?? call.partialArgs;
  return `${typeof call.name === 'string' ? call.name : ''}${args === undefined ? '' : JSON.stringify(args)}`;
}
