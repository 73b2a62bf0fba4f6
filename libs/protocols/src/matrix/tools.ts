import { omitUndefined } from '@mg/contract';
import type { JsonObject } from '../json.js';
import { refused, type RequestRow, type Wire, warned } from './row.js';

const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
/** What a tool becomes that takes free text. */
const FREE_TEXT: JsonObject = { properties: { input: { type: 'string' } }, required: ['input'] };
const CLOSED = { ...CITY, additionalProperties: false };

const chatTool = (name: string, parameters?: JsonObject, extra: JsonObject = {}) => ({
  type: 'function',
  function: { name, ...omitUndefined({ parameters }), ...extra },
});
const responsesTool = (name: string, parameters?: JsonObject, extra: JsonObject = {}) => ({
  type: 'function',
  name,
  ...omitUndefined({ parameters }),
  ...extra,
});
const claudeTool = (name: string, schema: JsonObject, extra: JsonObject = {}) => ({
  name,
  input_schema: schema,
  ...extra,
});
const geminiTools = (...functionDeclarations: JsonObject[]) => ({ tools: [{ functionDeclarations }] });
const converseTool = (name: string, json: JsonObject, extra: JsonObject = {}) => ({
  toolSpec: { name, inputSchema: { json }, ...extra },
});

/** Two tools in the words of each protocol, for rows about the choice between them. */
const TOOLS: Readonly<Record<Exclude<Wire, 'completions'>, JsonObject>> = {
  chat: { tools: [chatTool('a', CITY), chatTool('b', CITY)] },
  responses: { tools: [responsesTool('a', CITY), responsesTool('b', CITY)] },
  messages: { tools: [claudeTool('a', CITY), claudeTool('b', CITY)] },
  gemini: geminiTools({ name: 'a', parametersJsonSchema: CITY }, { name: 'b', parametersJsonSchema: CITY }),
  converse: { toolConfig: { tools: [converseTool('a', CITY), converseTool('b', CITY)] } },
};
const ONLY_A: JsonObject = { tools: [{ name: 'a' }] };

const geminiChoice = (functionCallingConfig: JsonObject) => ({
  ...TOOLS.gemini,
  toolConfig: { functionCallingConfig },
});
const chatAllowed = (mode: string) => ({
  ...TOOLS.chat,
  tool_choice: {
    type: 'allowed_tools',
    allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'a' } }] },
  },
});
const responsesAllowed = (mode: string) => ({
  ...TOOLS.responses,
  tool_choice: { type: 'allowed_tools', mode, tools: [{ type: 'function', name: 'a' }] },
});

/** Tools that are declared, and the choice among them. */
export const TOOL_ROWS: readonly RequestRow[] = [
  {
    concept: 'a tool and the schema of its arguments',
    said: {
      chat: { tools: [chatTool('a', CITY)] },
      responses: { tools: [responsesTool('a', CITY)] },
      messages: { tools: [claudeTool('a', CITY)] },
      gemini: geminiTools({ name: 'a', parametersJsonSchema: CITY }),
      converse: { toolConfig: { tools: [converseTool('a', CITY)] } },
    },
    to: { completions: refused('tools') },
  },
  {
    concept: 'a schema in the words of OpenAPI',
    from: {
      gemini: geminiTools({
        name: 'a',
        parameters: {
          type: 'OBJECT',
          properties: { n: { type: 'INTEGER', nullable: true }, l: { type: 'ARRAY', maxItems: '3' } },
          propertyOrdering: ['n', 'l'],
        },
      }),
    },
    to: {
      chat: {
        tools: [
          chatTool('a', {
            type: 'object',
            properties: { n: { type: ['integer', 'null'] }, l: { type: 'array', maxItems: 3 } },
          }),
        ],
      },
      responses: { tools: [responsesTool('a', { type: 'object' })] },
      messages: { tools: [claudeTool('a', { properties: { n: { type: ['integer', 'null'] } } })] },
      gemini: geminiTools({ parametersJsonSchema: { properties: { l: { type: 'array', maxItems: 3 } } } }),
      converse: { toolConfig: { tools: [converseTool('a', { type: 'object' })] } },
    },
  },
  {
    concept: 'keywords of a schema that Google does not know, and a property that is called like one',
    from: {
      messages: {
        tools: [
          claudeTool('a', {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            type: 'object',
            properties: { const: { const: 'x' }, n: { type: 'integer', multipleOf: 2, default: 4 } },
          }),
        ],
      },
    },
    to: {
      chat: { tools: [chatTool('a', { properties: { n: { multipleOf: 2, default: 4 } } })] },
      responses: { tools: [responsesTool('a', { properties: { n: { multipleOf: 2 } } })] },
      messages: { tools: [claudeTool('a', { properties: { n: { multipleOf: 2 } } })] },
      gemini: warned(
        '*.multipleOf',
        geminiTools({
          parametersJsonSchema: { properties: { const: { enum: ['x'] }, n: { type: 'integer' } } },
        }),
      ),
      converse: { toolConfig: { tools: [converseTool('a', { properties: { n: { multipleOf: 2 } } })] } },
    },
  },
  {
    concept: 'a tool without arguments',
    said: {
      chat: { tools: [chatTool('a')] },
      gemini: geminiTools({ name: 'a' }),
    },
    from: {
      responses: { tools: [responsesTool('a')] },
      messages: { tools: [claudeTool('a', { type: 'object' })] },
    },
    to: {
      responses: { tools: [responsesTool('a', { type: 'object' })] },
      messages: { tools: [claudeTool('a', { type: 'object' })] },
      converse: { toolConfig: { tools: [converseTool('a', { type: 'object' })] } },
    },
  },
  {
    concept: 'a strict tool',
    said: {
      chat: { tools: [chatTool('a', CLOSED, { strict: true })] },
      responses: { tools: [responsesTool('a', CLOSED, { strict: true })] },
      messages: { tools: [claudeTool('a', CLOSED, { strict: true })] },
      converse: { toolConfig: { tools: [converseTool('a', CLOSED, { strict: true })] } },
    },
    to: { gemini: warned('*.strict', geminiTools({ name: 'a' })) },
  },
  {
    concept: 'a name that Google does not take',
    said: {
      chat: { tools: [chatTool('1-a', CITY)] },
      responses: { tools: [responsesTool('1-a', CITY)] },
      messages: { tools: [claudeTool('1-a', CITY)] },
      converse: { toolConfig: { tools: [converseTool('1-a', CITY)] } },
    },
    to: { gemini: geminiTools({ name: 'mgx_1-a' }) },
  },
  {
    concept: "a name that only Google's tools have",
    said: { gemini: geminiTools({ name: 'a.b', parametersJsonSchema: CITY }) },
    to: {
      chat: { tools: [chatTool('mgx_a_002eb', CITY)] },
      responses: { tools: [responsesTool('mgx_a_002eb', CITY)] },
      messages: { tools: [claudeTool('mgx_a_002eb', CITY)] },
      converse: { toolConfig: { tools: [converseTool('mgx_a_002eb', CITY)] } },
    },
  },
  {
    concept: 'a name of more than 64 letters',
    said: {
      messages: { tools: [claudeTool('a'.repeat(65), CITY)] },
      gemini: geminiTools({ name: 'a'.repeat(65), parametersJsonSchema: CITY }),
    },
    to: { chat: refused(), responses: refused(), converse: refused() },
  },
  {
    concept: 'a tool with a grammar',
    said: { responses: { tools: [{ type: 'custom', name: 'a' }] } },
    to: {
      chat: { tools: [chatTool('a', FREE_TEXT)] },
      messages: { tools: [claudeTool('a', FREE_TEXT)] },
      gemini: geminiTools({ name: 'a' }),
      converse: { toolConfig: { tools: [converseTool('a', FREE_TEXT)] } },
    },
  },
  {
    concept: 'tools in a namespace',
    said: {
      responses: { tools: [{ type: 'namespace', name: 'crm', tools: [responsesTool('a', CITY)] }] },
    },
    to: {
      chat: { tools: [chatTool('crm__a', CITY)] },
      messages: { tools: [claudeTool('crm__a', CITY)] },
      gemini: geminiTools({ name: 'crm__a' }),
      converse: { toolConfig: { tools: [converseTool('crm__a', CITY)] } },
    },
  },
  {
    concept: 'a search for tools that the caller runs',
    said: {
      responses: { tools: [{ type: 'tool_search', execution: 'client', parameters: CITY }] },
    },
    to: {
      chat: { tools: [chatTool('tool_search', CITY)] },
      messages: { tools: [claudeTool('tool_search', CITY)] },
      gemini: geminiTools({ name: 'tool_search' }),
      converse: { toolConfig: { tools: [converseTool('tool_search', CITY)] } },
    },
  },
  {
    concept: "a shell on the caller's machine",
    said: { responses: { tools: [{ type: 'local_shell' }] } },
    to: {
      chat: refused('tools[0]'),
      messages: refused('tools[0]'),
      gemini: refused('tools[0]'),
      converse: refused('tools[0]'),
      completions: refused('tools[0]'),
    },
  },
  {
    concept: 'the deprecated functions',
    from: {
      chat: {
        functions: [{ name: 'a', parameters: CITY }],
        function_call: { name: 'a' },
      },
    },
    to: {
      completions: refused('tools'),
      chat: {
        tools: [chatTool('a', CITY)],
        tool_choice: { function: { name: 'a' } },
        parallel_tool_calls: false,
      },
      responses: {
        tools: [responsesTool('a', CITY)],
        tool_choice: { name: 'a' },
        parallel_tool_calls: false,
      },
      messages: {
        tools: [claudeTool('a', CITY)],
        tool_choice: { type: 'tool', name: 'a', disable_parallel_tool_use: true },
      },
      gemini: warned('parallel_tool_calls', geminiTools({ name: 'a' })),
      converse: warned('parallel_tool_calls', { toolConfig: { toolChoice: { tool: { name: 'a' } } } }),
    },
  },
  {
    concept: "what only Anthropic's tools say",
    said: {
      messages: {
        tools: [claudeTool('a', CITY, { eager_input_streaming: true, defer_loading: true })],
      },
    },
    to: {
      chat: warned(['defer_loading', 'eager_input_streaming'], { tools: [chatTool('a', CITY)] }),
      responses: warned(['defer_loading', 'eager_input_streaming'], { tools: [responsesTool('a', CITY)] }),
      gemini: warned(['defer_loading', 'eager_input_streaming'], geminiTools({ name: 'a' })),
      converse: warned(['defer_loading', 'eager_input_streaming'], {
        toolConfig: { tools: [converseTool('a', CITY)] },
      }),
    },
  },
  {
    concept: 'the model chooses',
    said: {
      chat: { ...TOOLS.chat, tool_choice: 'auto' },
      responses: { ...TOOLS.responses, tool_choice: 'auto' },
      messages: { ...TOOLS.messages, tool_choice: { type: 'auto' } },
      gemini: geminiChoice({ mode: 'AUTO' }),
      converse: TOOLS.converse,
    },
  },
  {
    concept: 'some tool has to be called',
    said: {
      chat: { ...TOOLS.chat, tool_choice: 'required' },
      responses: { ...TOOLS.responses, tool_choice: 'required' },
      messages: { ...TOOLS.messages, tool_choice: { type: 'any' } },
      gemini: geminiChoice({ mode: 'ANY' }),
      converse: { toolConfig: { toolChoice: { any: {} } } },
    },
  },
  {
    concept: 'one tool has to be called',
    said: {
      chat: { ...TOOLS.chat, tool_choice: { type: 'function', function: { name: 'a' } } },
      responses: { ...TOOLS.responses, tool_choice: { type: 'function', name: 'a' } },
      messages: { ...TOOLS.messages, tool_choice: { type: 'tool', name: 'a' } },
      gemini: geminiChoice({ mode: 'ANY', allowedFunctionNames: ['a'] }),
      converse: { toolConfig: { toolChoice: { tool: { name: 'a' } } } },
    },
  },
  {
    concept: 'no tool may be called',
    said: {
      chat: { ...TOOLS.chat, tool_choice: 'none' },
      responses: { ...TOOLS.responses, tool_choice: 'none' },
      messages: { ...TOOLS.messages, tool_choice: { type: 'none' } },
      gemini: geminiChoice({ mode: 'NONE' }),
      converse: { messages: [{ role: 'user' }] },
    },
  },
  {
    concept: 'some of the tools may be called',
    said: {
      chat: chatAllowed('auto'),
      responses: responsesAllowed('auto'),
      gemini: geminiChoice({ mode: 'VALIDATED', allowedFunctionNames: ['a'] }),
    },
    to: {
      messages: { ...ONLY_A, tool_choice: { type: 'auto' } },
      converse: { toolConfig: { tools: [converseTool('a', CITY)] } },
    },
  },
  {
    concept: 'one of some tools has to be called',
    said: { chat: chatAllowed('required'), responses: responsesAllowed('required') },
    to: {
      messages: { ...ONLY_A, tool_choice: { type: 'any' } },
      gemini: geminiChoice({ mode: 'ANY', allowedFunctionNames: ['a'] }),
      converse: { toolConfig: { tools: [converseTool('a', CITY)], toolChoice: { any: {} } } },
    },
  },
  {
    concept: 'a choice where there is no tool',
    from: {
      chat: { tool_choice: 'required' },
      responses: { tool_choice: 'required' },
      messages: { tool_choice: { type: 'any' } },
      gemini: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    },
    to: {
      chat: refused('tool_choice'),
      responses: refused('tool_choice'),
      completions: refused('tool_choice'),
      messages: refused('tool_choice'),
      gemini: refused('tool_choice'),
      converse: refused('tool_choice'),
    },
  },
  {
    concept: 'one call at a time',
    said: {
      chat: { ...TOOLS.chat, parallel_tool_calls: false },
      responses: { ...TOOLS.responses, parallel_tool_calls: false },
    },
    from: {
      messages: { ...TOOLS.messages, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    },
    to: {
      messages: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      gemini: warned('parallel_tool_calls', TOOLS.gemini),
      converse: warned('parallel_tool_calls', TOOLS.converse),
    },
  },
  {
    concept: 'a call that has to be made, of a model that thinks',
    traits: { supportsAdaptiveThinking: false },
    from: {
      chat: { ...TOOLS.chat, tool_choice: 'required', reasoning_effort: 'high', max_tokens: 4_096 },
    },
    to: {
      chat: { tool_choice: 'required', reasoning_effort: 'high' },
      responses: { tool_choice: 'required', reasoning: { effort: 'high' } },
      messages: warned('thinking', { tool_choice: { type: 'any' } }),
      gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
      converse: warned('thinking', { toolConfig: { toolChoice: { any: {} } } }),
    },
  },
];
