import { readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { Steps } from '../canonical/steps.js';
import { listAllJsonTexts, listJsonTexts } from '../canonical/text-of-json.js';
import type { JsonObject } from '../json.js';
import { readPartText } from './read-produced-text.js';

/** The texts of a request that a tokenizer counts where the upstream reported no usage: contents, instruction, tools and a schema. */
export function* listGeminiPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  const instruction = request.systemInstruction ?? request.system_instruction;
  if (typeof instruction === 'string') texts.push(instruction);
  for (const content of [readObject(instruction), ...readObjects(request.contents)]) {
    if (!content) continue;
    if (typeof content.role === 'string') texts.push(content.role);
    for (const part of readObjects(content.parts)) yield* collectPart(part, texts);
  }
  const config = readObject(request.generationConfig ?? request.generation_config) ?? {};
  const schemas = ['responseSchema', 'response_schema', 'responseJsonSchema', '_responseJsonSchema'];
  const described = [request.tools, ...schemas.map((name) => config[name])];
  for (const text of yield* listAllJsonTexts(described)) texts.push(text);
  return texts;
}

/** Arguments and results may have megabytes. */
function* collectPart(part: JsonObject, texts: string[]): Steps<void> {
  yield;
  const call = readObject(part.functionCall ?? part.function_call);
  const result = readObject(part.functionResponse ?? part.function_response);
  if (typeof part.text === 'string' || (!call && !result)) {
    const ran = readObject(part.codeExecutionResult ?? part.code_execution_result);
    texts.push(readPartText(part) ?? '', readText(ran?.output) ?? '');
    return;
  }
  if (call) texts.push(readText(call.name) ?? '');
  const json = call ? call.args : readObject(result?.response);
  if (json === undefined) return;
  for (const text of yield* listJsonTexts(json)) texts.push(text);
}
