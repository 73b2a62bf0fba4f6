import type { Steps } from '../canonical/steps.js';
import { listJsonTexts } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The texts of a chat request that a tokenizer counts where the upstream reported no usage: messages and tools. */
export function* listPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  if (Array.isArray(request.messages)) {
    for (const message of request.messages) {
      yield;
      if (isObject(message)) yield* collectTexts(message, texts);
    }
  }
  if (Array.isArray(request.tools)) for (const text of yield* listJsonTexts(request.tools)) texts.push(text);
  return texts;
}

function* collectTexts(message: JsonObject, texts: string[]): Steps<void> {
  if (typeof message.role === 'string') texts.push(message.role);
  if (typeof message.content === 'string') texts.push(message.content);
  if (Array.isArray(message.content)) {
    for (const part of message.content) {
      if (isObject(part) && typeof part.text === 'string') texts.push(part.text);
    }
  }
  if (!Array.isArray(message.tool_calls)) return;
  for (const text of yield* listJsonTexts(message.tool_calls)) texts.push(text);
}
