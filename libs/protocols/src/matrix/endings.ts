import { chat, completions, converse, gemini, messages, responses, spoken, text } from './compose-answer.js';
import type { AnswerRow } from './row.js';

/** Why an answer ended. */
export const ENDING_ROWS: readonly AnswerRow[] = [
  {
    concept: 'the limit of the answer',
    said: {
      chat: chat({ content: 'Hi' }, 'length'),
      responses: responses([spoken('Hi')], {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
      }),
      completions: completions('Hi', 'length'),
      messages: messages([text('Hi')], 'max_tokens'),
      gemini: gemini([{ text: 'Hi' }], 'MAX_TOKENS'),
      converse: converse([{ text: 'Hi' }], 'max_tokens'),
    },
  },
  {
    concept: 'a window that is full, and an answer that could go on',
    from: {
      messages: messages([text('Hi')], 'model_context_window_exceeded'),
      gemini: gemini([{ text: 'Hi' }], 'CONTINUATION'),
      converse: converse([{ text: 'Hi' }], 'model_context_window_exceeded'),
    },
    to: {
      chat: { choices: [{ finish_reason: 'length' }] },
      responses: { status: 'incomplete' },
      completions: { choices: [{ finish_reason: 'length' }] },
      messages: { stop_reason: 'max_tokens' },
      gemini: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
      converse: { stopReason: 'max_tokens' },
    },
  },
  {
    concept: 'all that was allowed went into hidden thoughts',
    from: { gemini: gemini([], 'MAX_TOKENS') },
    to: {
      chat: { choices: [{ message: { content: '' }, finish_reason: 'length' }] },
      messages: { content: [], stop_reason: 'max_tokens' },
      responses: { output: [], status: 'incomplete' },
    },
  },
  {
    concept: 'a stop string that is reported',
    said: {
      messages: messages([text('Hi')], 'stop_sequence', { stop_sequence: 'END' }),
      converse: converse([{ text: 'Hi' }], 'stop_sequence', {
        additionalModelResponseFields: { stop_sequence: 'END' },
      }),
    },
    to: {
      chat: { choices: [{ finish_reason: 'stop' }] },
      responses: { status: 'completed' },
      completions: { choices: [{ finish_reason: 'stop' }] },
      gemini: { candidates: [{ finishReason: 'STOP' }] },
    },
  },
  {
    concept: 'a policy',
    said: {
      chat: chat({ content: 'Hi' }, 'content_filter'),
      responses: responses([spoken('Hi')], {
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
      }),
      completions: completions('Hi', 'content_filter'),
      messages: messages([text('Hi')], 'refusal'),
      gemini: gemini([{ text: 'Hi' }], 'SAFETY'),
      converse: converse([{ text: 'Hi' }], 'content_filtered'),
    },
  },
  {
    concept: "Google's other policies, and those of images",
    from: { gemini: gemini([{ text: 'Hi' }], 'IMAGE_PROHIBITED_CONTENT') },
    to: {
      chat: { choices: [{ finish_reason: 'content_filter' }] },
      messages: { stop_reason: 'refusal' },
      gemini: { candidates: [{ finishReason: 'SAFETY' }] },
    },
  },
  {
    concept: 'a prompt that a policy stopped',
    from: { gemini: { promptFeedback: { blockReason: 'SAFETY' } } },
    to: {
      chat: { choices: [{ message: { content: null }, finish_reason: 'content_filter' }] },
      responses: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      messages: { content: [], stop_reason: 'refusal' },
      gemini: { candidates: [{ finishReason: 'SAFETY' }] },
      converse: { stopReason: 'content_filtered' },
    },
  },
  {
    concept: "why Claude's policy stopped an answer",
    said: {
      messages: messages([], 'refusal', {
        stop_details: { type: 'refusal', category: null, explanation: 'Not this.' },
      }),
    },
    to: {
      chat: {
        choices: [{ message: { content: null, refusal: 'Not this.' }, finish_reason: 'content_filter' }],
      },
      responses: { status: 'incomplete', output: [{ content: [{ type: 'refusal', refusal: 'Not this.' }] }] },
      gemini: { candidates: [{ finishReason: 'SAFETY', finishMessage: 'Not this.' }] },
    },
  },
  {
    concept: 'a model that refuses in its own words',
    from: {
      chat: chat({ refusal: 'No.' }),
      responses: responses([
        { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ]),
    },
    to: {
      chat: { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] },
      responses: { status: 'completed', output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] },
      completions: { choices: [{ text: 'No.' }] },
      messages: { content: [text('No.')], stop_reason: 'end_turn' },
      gemini: { candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' }] },
      converse: { output: { message: { content: [{ text: 'No.' }] } }, stopReason: 'end_turn' },
    },
  },
  {
    concept: 'a pause of the provider',
    said: { messages: messages([text('Hi')], 'pause_turn') },
    to: {
      chat: { choices: [{ finish_reason: 'stop' }] },
      responses: { status: 'completed' },
      gemini: { candidates: [{ finishReason: 'STOP' }] },
      converse: { stopReason: 'end_turn' },
    },
  },
  {
    concept: 'an unknown reason',
    from: {
      chat: chat({ content: 'Hi' }, 'x_future'),
      messages: messages([text('Hi')], 'x_future'),
      gemini: gemini([{ text: 'Hi' }], 'X_FUTURE'),
      converse: converse([{ text: 'Hi' }], 'x_future'),
    },
    to: {
      chat: { choices: [{ finish_reason: 'stop' }] },
      responses: { status: 'completed' },
      completions: { choices: [{ finish_reason: 'stop' }] },
      messages: { stop_reason: 'end_turn' },
      gemini: { candidates: [{ finishReason: 'STOP' }] },
      converse: { stopReason: 'end_turn' },
    },
  },
];

/** Tokens, in the arithmetic of each protocol: 100 of the prompt, 30 of them read from a cache and 20 written to one. */
export const USAGE_ROWS: readonly AnswerRow[] = [
  {
    concept: 'tokens of prompt and answer, of caches and thoughts',
    from: {
      chat: chat({ content: 'Hi' }, 'stop', {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
          completion_tokens_details: { reasoning_tokens: 10 },
        },
      }),
      responses: responses([spoken('Hi')], {
        usage: {
          input_tokens: 100,
          output_tokens: 50,
          input_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
          output_tokens_details: { reasoning_tokens: 10 },
        },
      }),
      messages: messages([text('Hi')], 'end_turn', {
        usage: {
          input_tokens: 50,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 20,
          output_tokens: 50,
          output_tokens_details: { thinking_tokens: 10 },
        },
      }),
    },
    to: {
      chat: {
        usage: {
          prompt_tokens: 100,
          completion_tokens: 50,
          total_tokens: 150,
          prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
          completion_tokens_details: { reasoning_tokens: 10 },
        },
      },
      responses: {
        usage: {
          input_tokens: 100,
          output_tokens: 50,
          total_tokens: 150,
          input_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
          output_tokens_details: { reasoning_tokens: 10 },
        },
      },
      completions: { usage: { prompt_tokens: 100, completion_tokens: 50 } },
      messages: {
        usage: {
          input_tokens: 50,
          cache_read_input_tokens: 30,
          cache_creation_input_tokens: 20,
          output_tokens: 50,
          output_tokens_details: { thinking_tokens: 10 },
        },
      },
      gemini: {
        usageMetadata: {
          promptTokenCount: 100,
          cachedContentTokenCount: 30,
          candidatesTokenCount: 40,
          thoughtsTokenCount: 10,
          totalTokenCount: 150,
        },
      },
      converse: {
        usage: { inputTokens: 50, cacheReadInputTokens: 30, cacheWriteInputTokens: 20, outputTokens: 50 },
      },
    },
  },
  {
    concept: "tokens that Google's own tools added to the prompt",
    from: {
      gemini: gemini([{ text: 'Hi' }], 'STOP', {
        usageMetadata: {
          promptTokenCount: 80,
          toolUsePromptTokenCount: 20,
          cachedContentTokenCount: 30,
          candidatesTokenCount: 40,
          thoughtsTokenCount: 10,
          totalTokenCount: 150,
        },
      }),
    },
    to: {
      chat: {
        usage: { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 30 } },
      },
      messages: { usage: { input_tokens: 70, cache_read_input_tokens: 30, output_tokens: 50 } },
      converse: { usage: { inputTokens: 70, cacheReadInputTokens: 30, outputTokens: 50 } },
    },
  },
  {
    concept: 'what is written to a cache for an hour',
    said: {
      messages: messages([text('Hi')], 'end_turn', {
        usage: {
          input_tokens: 50,
          cache_creation_input_tokens: 20,
          cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 15 },
          output_tokens: 5,
        },
      }),
      converse: converse([{ text: 'Hi' }], 'end_turn', {
        usage: {
          inputTokens: 50,
          cacheWriteInputTokens: 20,
          cacheDetails: [
            { ttl: '5m', inputTokens: 5 },
            { ttl: '1h', inputTokens: 15 },
          ],
          outputTokens: 5,
        },
      }),
    },
    to: {
      chat: { usage: { prompt_tokens: 70, prompt_tokens_details: { cache_write_tokens: 20 } } },
      gemini: { usageMetadata: { promptTokenCount: 70 } },
    },
  },
  {
    concept: 'more from a cache than there was',
    from: {
      chat: chat({ content: 'Hi' }, 'stop', {
        usage: { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 50 } },
      }),
    },
    to: {
      messages: { usage: { input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 5 } },
      converse: { usage: { inputTokens: 0, cacheReadInputTokens: 10 } },
    },
  },
  {
    concept: 'no figures at all',
    from: {
      chat: chat({ content: 'Hi' }),
      messages: messages([text('Hi')], 'end_turn', { usage: null }),
      gemini: gemini([{ text: 'Hi' }]),
    },
    to: {
      responses: { usage: { input_tokens: 0, output_tokens: 0 } },
      messages: { usage: { input_tokens: 0, output_tokens: 0 } },
      converse: { usage: { inputTokens: 0, outputTokens: 0 } },
    },
  },
];
