import { textOfJson } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The text of a messages request that a tokenizer counts where the upstream counts nothing: system, messages, tools. */
export function readMessagesPromptText(request: JsonObject): string {
  const parts: string[] = [];
  collectContent(request.system, parts);
  if (Array.isArray(request.messages)) {
    for (const message of request.messages) {
      if (!isObject(message)) continue;
      if (typeof message.role === 'string') parts.push(message.role);
      collectContent(message.content, parts);
    }
  }
  if (Array.isArray(request.tools)) parts.push(textOfJson(request.tools));
  return parts.join('\n');
}

function collectContent(content: unknown, parts: string[]): void {
  if (typeof content === 'string') parts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content) if (isObject(block)) collectBlock(block, parts);
}

function collectBlock(block: JsonObject, parts: string[]): void {
  for (const key of ['text', 'thinking', 'title', 'name'] as const) {
    const value = block[key];
    if (typeof value === 'string') parts.push(value);
  }
  if (block.type === 'tool_use') parts.push(textOfJson(block.input ?? {}));
  if (block.type === 'tool_result') collectContent(block.content, parts);
  const { source } = block;
  if (isObject(source) && source.type === 'text' && typeof source.data === 'string') parts.push(source.data);
  if (isObject(source) && source.type === 'content') collectContent(source.content, parts);
}
