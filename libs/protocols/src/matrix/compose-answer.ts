import type { JsonObject } from '../json.js';

// An answer in each protocol, without what it says of itself.

export const chat = (message: JsonObject, finish = 'stop', more: JsonObject = {}) => ({
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, ...message },
      finish_reason: finish,
      logprobs: null,
    },
  ],
  ...more,
});
export const completions = (text: string, finish = 'stop', more: JsonObject = {}) => ({
  choices: [{ index: 0, text, finish_reason: finish, logprobs: null }],
  ...more,
});
export const responses = (output: readonly JsonObject[], more: JsonObject = {}) => ({
  status: 'completed',
  output,
  ...more,
});
export const spoken = (text: string, more: JsonObject = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [], ...more }],
});
export const messages = (content: readonly JsonObject[], stop = 'end_turn', more: JsonObject = {}) => ({
  content,
  stop_reason: stop,
  stop_sequence: null,
  ...more,
});
export const gemini = (parts: readonly JsonObject[], finish = 'STOP', more: JsonObject = {}) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: finish, index: 0 }],
  ...more,
});
export const converse = (content: readonly JsonObject[], stopReason = 'end_turn', more: JsonObject = {}) => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  ...more,
});

export const text = (words: string) => ({ type: 'text', text: words });
