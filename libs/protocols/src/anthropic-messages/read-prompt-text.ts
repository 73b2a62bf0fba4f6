import type { Steps } from '../canonical/steps.js';
import { readObject } from '../canonical/read-fields.js';
import { listAllJsonTexts, listJsonTexts } from '../canonical/text-of-json.js';
import { isObject, type JsonObject } from '../json.js';

/** The texts of a messages request that a tokenizer counts where the upstream counts nothing: system, messages, tools and a schema. */
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
  const format = readObject(request.output_config)?.format ?? request.output_format;
  for (const text of yield* listAllJsonTexts([request.tools, format])) texts.push(text);
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
  for (const key of ['text', 'thinking', 'title', 'name', 'context'] as const) {
    const value = block[key];
    if (typeof value === 'string') texts.push(value);
  }
  if (block.type === 'tool_use') {
    for (const text of yield* listJsonTexts(block.input ?? {})) texts.push(text);
  }
  if (Object.hasOwn(block, 'content')) yield* collectContent(block.content, texts);
  const { source } = block;
  if (typeof source === 'string') texts.push(source);
  if (isObject(source) && source.type === 'text' && typeof source.data === 'string') texts.push(source.data);
  if (isObject(source) && source.type === 'content') yield* collectContent(source.content, texts);
}
