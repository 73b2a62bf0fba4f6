import { NO_USAGE, type Usage } from '@mg/contract';
import { countTokens } from '@mg/pricing';
import type { ChatRequest } from './chat-call.js';

/** Tokens that frame each turn of a chat and the answer. */
const TOKENS_PER_TURN = 3;
/** Members that hold the turns of a conversation, in one protocol or another. */
const TURNS = ['messages', 'contents', 'input'] as const;

/** Usage of a call whose upstream did not report it, as a tokenizer counts its prompt and what it produced. */
export function estimateUsage(request: ChatRequest, producedText: string): Usage {
  return { ...estimatePrompt(request), outputTokens: countTokens(producedText) };
}

/** The prompt's share of an estimate. */
export function estimatePrompt({ protocol, envelope }: ChatRequest): Usage {
  const turns = TURNS.map((name) => envelope.parsed[name]).find((value) => Array.isArray(value));
  const framing = TOKENS_PER_TURN * ((turns?.length ?? 1) + 1);
  return { ...NO_USAGE, inputTokens: countTokens(protocol.readPromptText(envelope.parsed)) + framing };
}
