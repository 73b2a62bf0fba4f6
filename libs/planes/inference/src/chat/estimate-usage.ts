import { NO_USAGE, type Usage } from '@mg/contract';
import { countTokens } from '@mg/pricing';
import { type JsonObject, readPromptText } from '@mg/protocols';

/** Tokens that frame each message of a chat and the answer. */
const TOKENS_PER_MESSAGE = 3;

/** Usage of a call whose upstream did not report it, as a tokenizer counts its prompt and what it produced. */
export function estimateUsage(request: JsonObject, producedText: string): Usage {
  return { ...estimatePrompt(request), outputTokens: countTokens(producedText) };
}

/** The prompt's share of an estimate. */
export function estimatePrompt(request: JsonObject): Usage {
  const messages = Array.isArray(request.messages) ? request.messages.length : 0;
  return {
    ...NO_USAGE,
    inputTokens: countTokens(readPromptText(request)) + TOKENS_PER_MESSAGE * (messages + 1),
  };
}
