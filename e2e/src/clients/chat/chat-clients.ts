import { anthropic } from './anthropic.js';
import type { ChatClient } from './conversation.js';
import { gemini } from './gemini.js';
import { openaiChat } from './openai-chat.js';
import { openaiResponses } from './openai-responses.js';

/** One official SDK for each protocol that callers speak. */
export const CHAT_CLIENTS: readonly ChatClient[] = [openaiChat, openaiResponses, anthropic, gemini];
