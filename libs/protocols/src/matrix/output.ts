import type { JsonObject } from '../json.js';
import { refused, type RequestRow, warned } from './row.js';

const CLOSED = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
};
const chatSchema = (schema: JsonObject) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
});
const responsesSchema = (schema: JsonObject) => ({
  text: { format: { type: 'json_schema', name: 'answer', schema } },
});
const geminiSchema = (schema: JsonObject) => ({
  generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
});
const LIMITED = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } };
const JSON_ONLY = 'Answer with one JSON object only: no prose, no code fences.';
const CHAT_TOOL = { tools: [{ type: 'function', function: { name: 'f' } }] };
const CHAT_SEARCH = { web_search_options: { search_context_size: 'low' } };

/** Answers in JSON, and tools that the provider runs. */
export const OUTPUT_ROWS: readonly RequestRow[] = [
  {
    concept: 'an answer by a schema',
    said: {
      chat: chatSchema(CLOSED),
      responses: responsesSchema(CLOSED),
      messages: { output_config: { format: { type: 'json_schema', schema: CLOSED } } },
      gemini: geminiSchema(CLOSED),
    },
    to: {
      completions: refused('response_format'),
      converse: {
        outputConfig: {
          textFormat: { type: 'json_schema', structure: { jsonSchema: { schema: JSON.stringify(CLOSED) } } },
        },
      },
    },
  },
  {
    concept: 'rules of a schema that structured answers do not enforce are written in its descriptions',
    from: { chat: chatSchema(LIMITED), gemini: geminiSchema(LIMITED) },
    to: {
      chat: chatSchema(LIMITED),
      responses: responsesSchema(LIMITED),
      completions: refused('response_format'),
      messages: {
        output_config: {
          format: {
            schema: {
              properties: { n: { type: 'integer', description: '(minimum: 1)' } },
              additionalProperties: false,
            },
          },
        },
      },
      gemini: geminiSchema(LIMITED),
      converse: { outputConfig: {} },
    },
  },
  {
    concept: 'an answer by a schema, of models that know none',
    traits: { supportsJsonSchema: false },
    from: { chat: chatSchema(CLOSED) },
    to: {
      chat: { response_format: { type: 'json_object' }, messages: [{ role: 'system' }, { role: 'user' }] },
      responses: responsesSchema(CLOSED),
      completions: refused('response_format'),
      messages: {
        tools: [{ name: 'answer_in_json', input_schema: CLOSED }],
        tool_choice: { type: 'tool', name: 'answer_in_json' },
      },
      gemini: geminiSchema(CLOSED),
      converse: { system: [{}] },
    },
  },
  {
    concept: 'an answer in JSON of any shape',
    from: {
      chat: { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
      gemini: { generationConfig: { responseMimeType: 'application/json' } },
    },
    to: {
      chat: {
        response_format: { type: 'json_object' },
        messages: [{ role: 'system', content: JSON_ONLY }, { role: 'user' }],
      },
      responses: {
        text: { format: { type: 'json_object' } },
        input: [{ role: 'system', content: [{ type: 'input_text', text: JSON_ONLY }] }, { role: 'user' }],
      },
      completions: refused('response_format'),
      messages: { system: JSON_ONLY },
      gemini: { generationConfig: { responseMimeType: 'application/json' } },
      converse: { system: [{ text: JSON_ONLY }] },
    },
  },
  {
    concept: 'an answer that is one of some words',
    said: {
      gemini: {
        generationConfig: {
          responseMimeType: 'text/x.enum',
          responseSchema: { type: 'STRING', enum: ['a'] },
        },
      },
    },
    to: {
      chat: refused('response_format'),
      responses: refused('generationConfig.responseMimeType'),
      completions: refused('response_format'),
      messages: refused('response_format'),
      converse: refused('response_format'),
    },
  },
  {
    concept: 'a schema beside tools, of models of Google that take only one of them',
    model: 'gemini-2.5-flash',
    from: { chat: { ...CHAT_TOOL, ...chatSchema(CLOSED) } },
    to: {
      chat: chatSchema(CLOSED),
      responses: responsesSchema(CLOSED),
      completions: refused('tools'),
      messages: { output_config: {} },
      gemini: {
        tools: [{ functionDeclarations: [{}, { name: 'answer_in_json' }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      },
      converse: { outputConfig: {} },
    },
  },
  {
    concept: 'the same, of those that take both',
    model: 'gemini-3.5-flash',
    from: { chat: { ...CHAT_TOOL, ...chatSchema(CLOSED) } },
    to: {
      chat: chatSchema(CLOSED),
      responses: responsesSchema(CLOSED),
      completions: refused('tools'),
      messages: { output_config: {} },
      gemini: geminiSchema(CLOSED),
      converse: { outputConfig: {} },
    },
  },
  {
    concept: 'a search of the web, where the model has one',
    traits: { supportsWebSearch: true },
    said: {
      responses: { tools: [{ type: 'web_search' }] },
      messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      gemini: { tools: [{ googleSearch: {} }] },
    },
    to: {
      chat: { web_search_options: {} },
      completions: warned('*earch', { prompt: 'Hi' }),
      converse: warned('*earch'),
    },
  },
  {
    concept: 'a search of the web, where it has none',
    said: { messages: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] } },
    to: {
      chat: warned('*earch'),
      responses: warned('*earch'),
      completions: warned('*earch', { prompt: 'Hi' }),
      gemini: warned('*earch'),
      converse: warned('*earch'),
    },
  },
  {
    concept: 'a search of the web as a setting of the request, where the model has none',
    said: { chat: CHAT_SEARCH },
    to: {
      responses: refused('web_search_options'),
      completions: refused('web_search_options'),
      messages: refused('web_search_options'),
      gemini: refused('web_search_options'),
      converse: refused('web_search_options'),
    },
  },
  {
    concept: "a tool that the provider runs and the caller's request forces",
    said: {
      messages: {
        tools: [{ type: 'code_execution_20250825', name: 'code_execution' }],
        tool_choice: { type: 'tool', name: 'code_execution' },
      },
    },
    to: {
      chat: refused('tool_choice'),
      responses: refused('tool_choice'),
      completions: refused('tool_choice'),
      gemini: refused('tool_choice'),
      converse: refused('tool_choice'),
    },
  },
  {
    concept: 'a tool that the caller runs and only one protocol declares',
    said: { messages: { tools: [{ type: 'bash_20250124', name: 'bash' }] } },
    to: {
      chat: refused('tools[0]'),
      responses: refused('tools[0]'),
      completions: refused('tools[0]'),
      gemini: refused('tools[0]'),
      converse: refused('tools[0]'),
    },
  },
  {
    concept: 'servers of tools, and a container',
    said: { messages: { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'x' }] } },
    to: {
      chat: refused('mcp_servers'),
      responses: refused('mcp_servers'),
      completions: refused('mcp_servers'),
      gemini: refused('mcp_servers'),
      converse: refused('mcp_servers'),
    },
  },
  {
    concept: 'what tools of the provider did in earlier turns',
    said: {
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
              { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
              { type: 'text', text: 'a' },
            ],
          },
          { role: 'user', content: 'So?' },
        ],
      },
    },
    to: {
      chat: warned(['*server_tool_use', '*web_search_tool_result'], { messages: [{}, { content: 'a' }, {}] }),
      responses: warned(['*server_tool_use', '*web_search_tool_result'], { input: [{}, {}, {}] }),
      gemini: warned(['*server_tool_use', '*web_search_tool_result'], {
        contents: [{}, { parts: [{ text: 'a' }] }, {}],
      }),
      converse: warned(['*server_tool_use', '*web_search_tool_result'], {
        messages: [{}, { content: [{ text: 'a' }] }, {}],
      }),
    },
  },
];
