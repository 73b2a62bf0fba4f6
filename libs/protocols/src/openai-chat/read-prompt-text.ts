import type { Steps } from '../canonical/steps.js';
import { listAllJsonTexts } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The texts of a chat request that a tokenizer counts where the upstream reported no usage: messages, tools and schemas. */
export function* listPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  if (Array.isArray(request.messages)) {
    for (const message of request.messages) {
      yield;
      if (isObject(message)) yield* collectTexts(message, texts);
    }
  }
  const { tools, functions, response_format: format } = request;
  for (const text of yield* listAllJsonTexts([tools, functions, format])) texts.push(text);
  return texts;
}

function* collectTexts(message: JsonObject, texts: string[]): Steps<void> {
  if (typeof message.role === 'string') texts.push(message.role);
  if (typeof message.content === 'string') texts.push(message.content);
  if (typeof message.reasoning_content === 'string') texts.push(message.reasoning_content);
  if (Array.isArray(message.content)) {
    for (const part of message.content) {
      const text = isObject(part) ? (part.text ?? part.refusal) : undefined;
      if (typeof text === 'string') texts.push(text);
    }
  }
  for (const text of yield* listAllJsonTexts([message.tool_calls, message.function_call])) texts.push(text);
}
