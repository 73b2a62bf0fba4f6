import { chat, completions, converse, gemini, messages, responses, spoken, text } from './compose-answer.js';
import type { AnswerRow } from './row.js';

const PNG = 'iVBORw0KGgo=';
const tool = { type: 'tool_use', id: 'c1', name: 'f', input: { n: 1 } };
const chatTool = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"n":1}' } };
const responsesTool = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"n":1}' };
const geminiTool = { functionCall: { id: 'c1', name: 'f', args: { n: 1 } } };
const converseTool = { toolUse: { toolUseId: 'c1', name: 'f', input: { n: 1 } } };

/** What an answer holds. */
export const ANSWER_ROWS: readonly AnswerRow[] = [
  {
    concept: 'text',
    said: {
      chat: chat({ content: 'Hi' }),
      responses: responses([spoken('Hi')]),
      completions: completions('Hi'),
      messages: messages([text('Hi')]),
      gemini: gemini([{ text: 'Hi' }]),
      converse: converse([{ text: 'Hi' }]),
    },
  },
  {
    concept: 'text in pieces is one text where there is room for one',
    from: {
      messages: messages([text('a'), text('b')]),
      gemini: gemini([{ text: 'a' }, { text: 'b' }]),
      converse: converse([{ text: 'a' }, { text: 'b' }]),
    },
    to: { chat: { choices: [{ message: { content: 'ab' } }] }, completions: { choices: [{ text: 'ab' }] } },
    streamedOtherwise: "Google's streams know no borders between texts",
  },
  {
    concept: 'nothing at all',
    said: {
      chat: chat({ content: '' }),
      responses: responses([]),
      completions: completions(''),
      messages: messages([]),
      gemini: gemini([]),
      converse: converse([]),
    },
  },
  {
    concept: 'a call',
    said: {
      chat: chat({ tool_calls: [chatTool] }, 'tool_calls'),
      responses: responses([responsesTool]),
      messages: messages([tool], 'tool_use'),
      gemini: gemini([geminiTool]),
      converse: converse([converseTool], 'tool_use'),
    },
    to: { completions: { choices: [{ text: '', finish_reason: 'stop' }] } },
  },
  {
    concept: 'a call in an answer that says that it ended by itself',
    from: {
      chat: chat({ tool_calls: [chatTool] }, 'stop'),
      messages: messages([tool], 'end_turn'),
      converse: converse([converseTool], 'end_turn'),
    },
    to: {
      chat: { choices: [{ finish_reason: 'tool_calls' }] },
      responses: { output: [responsesTool], status: 'completed' },
      messages: { stop_reason: 'tool_use' },
      gemini: { candidates: [{ finishReason: 'STOP' }] },
      converse: { stopReason: 'tool_use' },
    },
  },
  {
    concept: 'no call in an answer that says that it ended for one',
    from: {
      chat: chat({ content: 'Hi' }, 'tool_calls'),
      messages: messages([text('Hi')], 'tool_use'),
      converse: converse([{ text: 'Hi' }], 'tool_use'),
    },
    to: {
      chat: { choices: [{ finish_reason: 'stop', message: { content: 'Hi' } }] },
      messages: { stop_reason: 'end_turn' },
      converse: { stopReason: 'end_turn' },
    },
  },
  {
    concept: 'a call without arguments',
    from: {
      chat: chat({ tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }] }),
      responses: responses([{ ...responsesTool, arguments: '' }]),
      messages: messages([{ ...tool, input: {} }], 'tool_use'),
      gemini: gemini([{ functionCall: { id: 'c1', name: 'f' } }]),
      converse: converse([{ toolUse: { toolUseId: 'c1', name: 'f', input: {} } }], 'tool_use'),
    },
    to: {
      chat: { choices: [{ message: { tool_calls: [{ function: { arguments: '{}' } }] } }] },
      responses: { output: [{ arguments: '{}' }] },
      messages: { content: [{ input: {} }] },
      gemini: { candidates: [{ content: { parts: [{ functionCall: { args: {} } }] } }] },
      converse: { output: { message: { content: [{ toolUse: { input: {} } }] } } },
    },
  },
  {
    concept: 'a call that the limit of the answer cut',
    from: {
      chat: chat({ tool_calls: [{ ...chatTool, function: { name: 'f', arguments: '{"n":' } }] }, 'length'),
    },
    to: {
      chat: { choices: [{ finish_reason: 'length' }] },
      responses: { status: 'incomplete', output: [{ status: 'incomplete' }] },
      messages: { content: [], stop_reason: 'max_tokens' },
      gemini: { candidates: [{ finishReason: 'MAX_TOKENS' }] },
      converse: { output: { message: { content: [] } }, stopReason: 'max_tokens' },
    },
    streamedOtherwise: 'what came of the arguments has left before the end is known',
  },
  {
    concept: 'a thought without a signature, before the text',
    said: {
      chat: chat({ reasoning_content: 'Hm', content: 'Hi' }),
      responses: responses([
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
        spoken('Hi'),
      ]),
      gemini: gemini([{ text: 'Hm', thought: true }, { text: 'Hi' }]),
    },
    to: {
      completions: { choices: [{ text: 'Hi' }] },
      messages: { content: [{ type: 'thinking', thinking: 'Hm', signature: '' }, text('Hi')] },
      converse: {
        output: {
          message: { content: [{ reasoningContent: { reasoningText: { text: 'Hm' } } }, { text: 'Hi' }] },
        },
      },
    },
  },
  {
    concept: 'a thought by the name that some servers have for it',
    from: { chat: chat({ reasoning: 'Hm', content: 'Hi' }) },
    to: {
      chat: { choices: [{ message: { reasoning_content: 'Hm', content: 'Hi' } }] },
      messages: { content: [{ type: 'thinking', thinking: 'Hm' }, text('Hi')] },
      gemini: { candidates: [{ content: { parts: [{ text: 'Hm', thought: true }, { text: 'Hi' }] } }] },
    },
  },
  {
    concept: 'thoughts that Claude signed, shown and hidden',
    said: {
      messages: messages([
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'aGlk' },
        text('Hi'),
      ]),
    },
    to: {
      chat: {
        choices: [
          {
            message: {
              reasoning_content: 'Hm',
              thinking_blocks: [
                { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
                { type: 'redacted_thinking', data: 'aGlk' },
              ],
            },
          },
        ],
      },
      responses: {
        output: [{ type: 'reasoning', summary: [{ text: 'Hm' }] }, { type: 'reasoning', summary: [] }, {}],
      },
      gemini: {
        candidates: [
          { content: { parts: [{ text: 'Hm', thought: true }, { thought: true }, { text: 'Hi' }] } },
        ],
      },
    },
  },
  {
    concept: 'a thought whose words are left out',
    said: { messages: messages([{ type: 'thinking', thinking: '', signature: 'c2ln' }, text('Hi')]) },
    to: {
      chat: { choices: [{ message: { thinking_blocks: [{ thinking: '', signature: 'c2ln' }] } }] },
      responses: { output: [{ type: 'reasoning', summary: [] }, {}] },
      gemini: { candidates: [{ content: { parts: [{ text: '', thought: true }, { text: 'Hi' }] } }] },
    },
  },
  {
    concept: 'a call that Google signed',
    said: { gemini: gemini([{ ...geminiTool, thoughtSignature: 'Z29vZw==' }]) },
    to: {
      chat: {
        choices: [
          { message: { tool_calls: [{ extra_content: { google: { thought_signature: 'Z29vZw==' } } }] } },
        ],
      },
      responses: { output: [{ type: 'reasoning', summary: [] }, responsesTool] },
      messages: { content: [{ type: 'thinking', thinking: '' }, tool] },
    },
  },
  {
    concept: 'an image',
    from: {
      chat: chat({ images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] }),
      gemini: gemini([{ inlineData: { mimeType: 'image/png', data: PNG } }]),
      converse: converse([{ image: { format: 'png', source: { bytes: PNG } } }]),
    },
    to: {
      chat: { choices: [{ message: { images: [{ image_url: { url: `data:image/png;base64,${PNG}` } }] } }] },
      responses: { output: [{ type: 'image_generation_call', result: PNG }] },
      completions: { choices: [{ text: '' }] },
      messages: { content: [text(`![image](data:image/png;base64,${PNG})`)] },
      gemini: { candidates: [{ content: { parts: [{ inlineData: { data: PNG } }] } }] },
      converse: { output: { message: { content: [{ image: { format: 'png' } }] } } },
    },
    streamedOtherwise: 'Converse streams no images',
  },
  {
    concept: 'a draft of an image is not shown',
    from: {
      gemini: gemini([{ inlineData: { mimeType: 'image/png', data: PNG }, thought: true }, { text: 'Hi' }]),
    },
    to: {
      chat: { choices: [{ message: { content: 'Hi' } }] },
      messages: { content: [text('Hi')] },
      gemini: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
    },
  },
  {
    concept: 'where a text comes from',
    from: {
      chat: chat({
        content: 'Hé',
        annotations: [
          {
            type: 'url_citation',
            url_citation: { url: 'https://example.com', title: 'T', start_index: 0, end_index: 2 },
          },
        ],
      }),
      messages: messages([
        {
          ...text('Hé'),
          citations: [
            { type: 'web_search_result_location', url: 'https://example.com', title: 'T', cited_text: 'x' },
          ],
        },
      ]),
      gemini: gemini([{ text: 'Hé' }], 'STOP', {
        candidates: [
          {
            content: { role: 'model', parts: [{ text: 'Hé' }] },
            finishReason: 'STOP',
            groundingMetadata: {
              groundingChunks: [{ web: { uri: 'https://example.com', title: 'T' } }],
              groundingSupports: [{ segment: { endIndex: 3 }, groundingChunkIndices: [0] }],
            },
          },
        ],
      }),
    },
    to: {
      chat: {
        choices: [
          {
            message: {
              annotations: [{ url_citation: { url: 'https://example.com', start_index: 0, end_index: 2 } }],
            },
          },
        ],
      },
      responses: { output: [{ content: [{ annotations: [{ url: 'https://example.com', end_index: 2 }] }] }] },
      messages: { content: [{ text: 'Hé', citations: [{ url: 'https://example.com' }] }] },
      gemini: {
        candidates: [{ groundingMetadata: { groundingSupports: [{ segment: { endIndex: 3 } }] } }],
      },
      converse: { output: { message: { content: [{ citationsContent: {} }] } } },
    },
  },
  {
    concept: 'what tools of the provider did is reported to its own clients',
    said: {
      messages: messages([
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
        { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        text('Hi'),
      ]),
    },
    to: {
      chat: { choices: [{ message: { content: 'Hi' } }] },
      responses: { output: [{ type: 'message' }] },
      gemini: { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
      converse: { output: { message: { content: [{ text: 'Hi' }] } } },
    },
  },
];
