import { textOfJson } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The text of a chat request that a tokenizer counts where the upstream reported no usage: messages and tools. */
export function readPromptText(request: JsonObject): string {
  const parts: string[] = [];
  if (Array.isArray(request.messages)) {
    for (const message of request.messages) {
      if (isObject(message)) collectText(message, parts);
    }
  }
  if (Array.isArray(request.tools)) parts.push(textOfJson(request.tools));
  return parts.join('\n');
}

function collectText(message: JsonObject, parts: string[]): void {
  if (typeof message.role === 'string') parts.push(message.role);
  if (typeof message.content === 'string') parts.push(message.content);
  if (Array.isArray(message.content)) {
    for (const part of message.content) {
      if (isObject(part) && typeof part.text === 'string') parts.push(part.text);
    }
  }
  if (Array.isArray(message.tool_calls)) parts.push(textOfJson(message.tool_calls));
}
