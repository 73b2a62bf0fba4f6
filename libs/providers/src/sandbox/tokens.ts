import { type ChatBody, countParts, textOf } from './chat-request.js';

/** The sandbox's own measure: four characters are a token. Deterministic, and cheap enough for load tests. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 3;
const TOKENS_PER_IMAGE = 85;

/** Like providers do: short prompts are not cached, longer ones in steps. */
const CACHE_FLOOR = 1_024;
const CACHE_STEP = 128;

export function countTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Cuts a text to so many tokens, never through a character. */
export function cutToTokens(text: string, tokens: number): string {
  const end = tokens * CHARACTERS_PER_TOKEN;
  if (text.length <= end) return text;
  const last = text.charCodeAt(end - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? end - 1 : end);
}

/** A word with the space before it, or a stretch of a long one: what a model tends to emit at a time. */
const GROUP = /\s*\S{1,12}|\s+$/gu;

export function splitIntoGroups(text: string): readonly string[] {
  return text.match(GROUP) ?? [];
}

export interface PromptCount {
  readonly tokens: number;
  readonly cachedTokens: number;
}

/** Tokens of a prompt; of a long one, the opening instructions count as read from a cache. */
export function countPrompt(body: ChatBody): PromptCount {
  let tokens = TOKENS_PER_MESSAGE + countParts(body, 'image_url') * TOKENS_PER_IMAGE;
  let leading = 0;
  let isLeading = true;
  for (const message of body.messages) {
    const count = TOKENS_PER_MESSAGE + countTokens(textOf(message));
    tokens += count;
    isLeading &&= message.role === 'system' || message.role === 'developer';
    if (isLeading) leading += count;
  }
  if (body.tools?.length) tokens += countTokens(JSON.stringify(body.tools));
  const cachedTokens = tokens < CACHE_FLOOR ? 0 : leading - (leading % CACHE_STEP);
  return { tokens, cachedTokens };
}
