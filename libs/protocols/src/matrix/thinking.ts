import { packSignature } from '../canonical/carry-signature.js';
import type { JsonObject } from '../json.js';
import { type RequestRow, warned } from './row.js';

const GOOGLE = packSignature({ protocol: 'gemini-generate', value: 'Z29vZw==' }, 'thought');

/** The models that these rows are about. */
const BY_BUDGET = { supportsAdaptiveThinking: false } as const;
const BY_EFFORT = { supportsAdaptiveThinking: true, efforts: ['low', 'medium', 'high'] } as const;

const thinkingConfig = (config: JsonObject) => ({ generationConfig: { thinkingConfig: config } });
const asked = (field: string, ...later: JsonObject[]) => ({ [field]: [{ role: 'user' }, ...later] });
const claudeTurns = (...content: JsonObject[]) => ({
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
    { role: 'user', content: 'So?' },
  ],
});

/** Thinking that is asked for, and thoughts of earlier turns. */
export const THINKING_ROWS: readonly RequestRow[] = [
  {
    concept: 'an effort, of models that think as long as they please',
    traits: BY_EFFORT,
    model: 'gemini-3.5-flash',
    said: {
      chat: { reasoning_effort: 'high' },
      responses: { reasoning: { effort: 'high' } },
      gemini: thinkingConfig({ thinkingLevel: 'HIGH' }),
    },
    from: { messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } } },
    to: {
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
      converse: warned('thinking'),
    },
  },
  {
    concept: 'an effort that the model does not know becomes the nearest',
    traits: BY_EFFORT,
    model: 'gemini-3.5-flash',
    from: { chat: { reasoning_effort: 'minimal' }, responses: { reasoning: { effort: 'minimal' } } },
    to: {
      chat: { reasoning_effort: 'low' },
      responses: { reasoning: { effort: 'low' } },
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: { output_config: { effort: 'low' } },
      gemini: thinkingConfig({ thinkingLevel: 'LOW' }),
      converse: warned('thinking'),
    },
  },
  {
    concept: 'an effort, of models that think by a budget',
    traits: BY_BUDGET,
    model: 'gemini-2.5-flash',
    from: {
      chat: { reasoning_effort: 'medium', max_completion_tokens: 16_000 },
      responses: { reasoning: { effort: 'medium' }, max_output_tokens: 16_000 },
    },
    to: {
      chat: { reasoning_effort: 'medium' },
      responses: { reasoning: { effort: 'medium' } },
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: { thinking: { type: 'enabled', budget_tokens: 8_192 }, max_tokens: 16_000 },
      gemini: thinkingConfig({ thinkingBudget: 8_192, includeThoughts: true }),
      converse: warned('thinking'),
    },
  },
  {
    concept: 'a budget',
    traits: BY_BUDGET,
    model: 'gemini-2.5-flash',
    from: {
      messages: { max_tokens: 16_000, thinking: { type: 'enabled', budget_tokens: 5_000 } },
      gemini: { generationConfig: { maxOutputTokens: 16_000, thinkingConfig: { thinkingBudget: 5_000 } } },
    },
    to: {
      chat: { reasoning_effort: 'medium' },
      responses: { reasoning: { effort: 'medium' } },
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: { thinking: { type: 'enabled', budget_tokens: 5_000 } },
      gemini: thinkingConfig({ thinkingBudget: 5_000 }),
      converse: warned('thinking'),
    },
  },
  {
    concept: 'no room for the least budget within the limit of the answer',
    traits: BY_BUDGET,
    model: 'gemini-2.5-flash',
    from: { chat: { reasoning_effort: 'low', max_completion_tokens: 500 } },
    to: {
      chat: { reasoning_effort: 'low' },
      responses: { reasoning: { effort: 'low' } },
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: warned('thinking', { max_tokens: 500 }),
      gemini: thinkingConfig({ thinkingBudget: 1_024 }),
      converse: warned('thinking'),
    },
  },
  {
    concept: 'no thinking',
    model: 'gemini-2.5-flash',
    said: {
      chat: { reasoning_effort: 'none' },
      responses: { reasoning: { effort: 'none' } },
      messages: { thinking: { type: 'disabled' } },
      gemini: thinkingConfig({ thinkingBudget: 0 }),
    },
    to: { completions: { prompt: 'Hi' }, converse: { messages: [{ role: 'user' }] } },
  },
  {
    concept: 'as much as the model pleases',
    model: 'gemini-2.5-flash',
    said: {
      messages: { thinking: { type: 'adaptive' } },
      gemini: thinkingConfig({ thinkingBudget: -1 }),
    },
    to: {
      chat: { messages: [{ role: 'user' }] },
      responses: { include: ['reasoning.encrypted_content'] },
      completions: warned('thinking', { prompt: 'Hi' }),
      converse: { messages: [{ role: 'user' }] },
    },
  },
  {
    concept: 'thoughts that the client does not want',
    traits: BY_EFFORT,
    model: 'gemini-3.5-flash',
    from: {
      messages: { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } },
      gemini: thinkingConfig({ thinkingLevel: 'LOW', includeThoughts: false }),
    },
    to: {
      chat: warned('thinking.display', { reasoning_effort: 'low' }),
      responses: { reasoning: { effort: 'low' } },
      completions: warned('thinking', { prompt: 'Hi' }),
      messages: { thinking: { type: 'adaptive', display: 'omitted' } },
      gemini: thinkingConfig({ thinkingLevel: 'LOW', includeThoughts: false }),
      converse: warned('thinking'),
    },
  },
  {
    concept: 'a thought that Claude signed goes back to Claude only',
    from: {
      messages: claudeTurns(
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'aGlk' },
        { type: 'text', text: 'a' },
      ),
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: 'a',
            reasoning_content: 'Hm',
            thinking_blocks: [
              { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
              { type: 'redacted_thinking', data: 'aGlk' },
            ],
          },
          { role: 'user', content: 'So?' },
        ],
      },
    },
    to: {
      chat: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      responses: warned('messages.thinking', asked('input', { role: 'assistant' }, {})),
      messages: asked(
        'messages',
        {
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'aGlk' },
            { text: 'a' },
          ],
        },
        {},
      ),
      gemini: warned('messages.thinking', asked('contents', { parts: [{ text: 'a' }] }, {})),
      converse: warned('messages.thinking', asked('messages', { content: [{ text: 'a' }] }, {})),
    },
  },
  {
    concept: 'a thought that Google signed, carried by clients of other protocols',
    model: 'gemini-3.5-flash',
    from: {
      messages: claudeTurns(
        { type: 'thinking', thinking: 'Hm', signature: GOOGLE },
        { type: 'text', text: 'a' },
      ),
      responses: {
        input: [
          { role: 'user', content: 'Hi' },
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'Hm' }],
            encrypted_content: GOOGLE,
          },
          { role: 'assistant', content: 'a' },
          { role: 'user', content: 'So?' },
        ],
      },
      gemini: {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          {
            role: 'model',
            parts: [{ text: 'Hm', thought: true, thoughtSignature: 'Z29vZw==' }, { text: 'a' }],
          },
          { role: 'user', parts: [{ text: 'So?' }] },
        ],
      },
    },
    to: {
      chat: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      responses: warned('messages.thinking', asked('input', { role: 'assistant' }, {})),
      messages: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      gemini: asked(
        'contents',
        { parts: [{ text: 'Hm', thought: true, thoughtSignature: 'Z29vZw==' }, { text: 'a' }] },
        {},
      ),
      converse: warned('messages.thinking', asked('messages', { content: [{ text: 'a' }] }, {})),
    },
  },
  {
    concept: 'a thought that OpenAI encrypted',
    said: {
      responses: {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
          { role: 'assistant', content: [{ type: 'output_text', text: 'a' }] },
          { role: 'user', content: 'So?' },
        ],
      },
    },
    to: {
      chat: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      responses: asked('input', { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA' }, {}, {}),
      messages: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      gemini: warned('messages.thinking', asked('contents', {}, {})),
      converse: warned('messages.thinking', asked('messages', {}, {})),
    },
  },
  {
    concept: 'an unsigned thought, for models that want none back',
    from: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'a', reasoning_content: 'Hm' },
          { role: 'user', content: 'So?' },
        ],
      },
      messages: claudeTurns({ type: 'thinking', thinking: 'Hm', signature: '' }, { type: 'text', text: 'a' }),
    },
    to: {
      chat: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      responses: warned('messages.thinking', asked('input', { role: 'assistant' }, {})),
      messages: warned('messages.thinking', asked('messages', { content: 'a' }, {})),
      gemini: warned('messages.thinking', asked('contents', {}, {})),
      converse: warned('messages.thinking', asked('messages', {}, {})),
    },
  },
  {
    concept: 'the same, for models that want it back',
    traits: { acceptsReasoningHistory: true },
    from: {
      chat: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'a', reasoning_content: 'Hm' },
          { role: 'user', content: 'So?' },
        ],
      },
    },
    to: {
      chat: asked('messages', { content: 'a', reasoning_content: 'Hm' }, {}),
      responses: asked('input', { type: 'reasoning', content: [{ text: 'Hm' }] }, {}, {}),
      messages: asked('messages', { content: [{ type: 'thinking', thinking: 'Hm' }, { text: 'a' }] }, {}),
      gemini: warned('messages.thinking', asked('contents', {}, {})),
      converse: asked(
        'messages',
        { content: [{ reasoningContent: { reasoningText: { text: 'Hm' } } }, { text: 'a' }] },
        {},
      ),
    },
  },
  {
    concept: 'a loop of calls whose thoughts were lost, of models that want them',
    traits: BY_BUDGET,
    model: 'gemini-3.5-flash',
    from: {
      chat: {
        reasoning_effort: 'low',
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'ok' },
        ],
        tools: [{ type: 'function', function: { name: 'f' } }],
      },
    },
    to: {
      chat: { reasoning_effort: 'low' },
      responses: { reasoning: { effort: 'low' } },
      messages: warned('thinking', asked('messages', { role: 'assistant' }, { role: 'user' })),
      gemini: asked(
        'contents',
        { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }] },
        { role: 'user' },
      ),
      converse: warned('thinking'),
    },
  },
];
