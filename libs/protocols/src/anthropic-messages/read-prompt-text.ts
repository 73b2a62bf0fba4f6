import type { Steps } from '../canonical/steps.js';
import { listJsonTexts } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The texts of a messages request that a tokenizer counts where the upstream counts nothing: system, messages, tools. */
export function* listMessagesPromptTexts(request: JsonObject): Steps<readonly string[]> {
  const texts: string[] = [];
  yield* collectContent(request.system, texts);
  if (Array.isArray(request.messages)) {
    for (const message of request.messages) {
      if (!isObject(message)) continue;
      if (typeof message.role === 'string') texts.push(message.role);
      yield* collectContent(message.content, texts);
    }
  }
  if (Array.isArray(request.tools)) for (const text of yield* listJsonTexts(request.tools)) texts.push(text);
  return texts;
}

function* collectContent(content: unknown, texts: string[]): Steps<void> {
  yield;
  if (typeof content === 'string') texts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content) if (isObject(block)) yield* collectBlock(block, texts);
}

function* collectBlock(block: JsonObject, texts: string[]): Steps<void> {
  yield;
  for (const key of ['text', 'thinking', 'title', 'name'] as const) {
    const value = block[key];
    if (typeof value === 'string') texts.push(value);
  }
  if (block.type === 'tool_use') {
    for (const text of yield* listJsonTexts(block.input ?? {})) texts.push(text);
  }
  if (block.type === 'tool_result') yield* collectContent(block.content, texts);
  const { source } = block;
  if (isObject(source) && source.type === 'text' && typeof source.data === 'string') texts.push(source.data);
  if (isObject(source) && source.type === 'content') yield* collectContent(source.content, texts);
}
