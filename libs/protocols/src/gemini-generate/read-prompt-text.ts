import { readObject, readObjects } from '../canonical/read-fields.js';
import { textOfJson } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';
import { readPartText } from './read-produced-text.js';

/** The text of a request that a tokenizer counts where the upstream reported no usage: contents, instruction, tools. */
export function readGeminiPromptText(request: JsonObject): string {
  const parts: string[] = [];
  const instruction = request.systemInstruction ?? request.system_instruction;
  if (typeof instruction === 'string') parts.push(instruction);
  for (const content of [readObject(instruction), ...readObjects(request.contents)]) {
    if (!content) continue;
    if (typeof content.role === 'string') parts.push(content.role);
    for (const part of readObjects(content.parts)) parts.push(readPartText(part) || readResult(part));
  }
  if (Array.isArray(request.tools)) parts.push(textOfJson(request.tools));
  return parts.join('\n');
}

function readResult(part: JsonObject): string {
  const result = part.functionResponse ?? part.function_response;
  return isObject(result) && isObject(result.response) ? textOfJson(result.response) : '';
}
