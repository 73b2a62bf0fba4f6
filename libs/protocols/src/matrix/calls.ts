import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.js';
import { refused, type RequestRow, type Wire } from './row.js';

const PNG = 'iVBORw0KGgo=';
const LONG_ID = 'x'.repeat(70);
const SHORT_ID = `call_${createHash('sha256').update(LONG_ID).digest('hex').slice(0, 35)}`;
const UNANSWERED = 'No result was given for this call.';
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } } };
const DECLARED: Readonly<Record<Exclude<Wire, 'completions' | 'converse'>, JsonObject>> = {
  chat: { tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }] },
  responses: { tools: [{ type: 'function', name: 'f', parameters: SCHEMA }] },
  messages: { tools: [{ name: 'f', input_schema: SCHEMA }] },
  gemini: { tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: SCHEMA }] }] },
};

/** A question, calls and what came of them, in the words of each protocol. */
const chat = (...later: JsonObject[]) => ({
  ...DECLARED.chat,
  messages: [{ role: 'user', content: 'Hi' }, ...later],
});
const responses = (...later: JsonObject[]) => ({
  ...DECLARED.responses,
  input: [{ role: 'user', content: 'Hi' }, ...later],
});
const messages = (...later: JsonObject[]) => ({
  ...DECLARED.messages,
  messages: [{ role: 'user', content: 'Hi' }, ...later],
});
const gemini = (...later: JsonObject[]) => ({
  ...DECLARED.gemini,
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }, ...later],
});
/** What channels are asked: the question is the same in all rows. */
const asked = (field: string, ...later: JsonObject[]) => ({ [field]: [{ role: 'user' }, ...later] });

const chatCall = (id: string, args = '{}') => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: args },
});
const chatCalls = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => chatCall(id)),
});
const chatResult = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });
const responsesCall = (id: string, args = '{}') => ({
  type: 'function_call',
  call_id: id,
  name: 'f',
  arguments: args,
});
const responsesResult = (id: string, output: unknown) => ({
  type: 'function_call_output',
  call_id: id,
  output,
});
const claudeCall = (id: string, input: JsonObject = {}) => ({ type: 'tool_use', id, name: 'f', input });
const claudeResult = (id: string, more: JsonObject) => ({ type: 'tool_result', tool_use_id: id, ...more });
const geminiCall = (id: string, args: JsonObject = {}) => ({ functionCall: { id, name: 'f', args } });
const geminiResult = (id: string, response: JsonObject, more: JsonObject = {}) => ({
  functionResponse: { id, name: 'f', response, ...more },
});
const converseCall = (toolUseId: string, input: JsonObject = {}) => ({
  toolUse: { toolUseId, name: 'f', input },
});
const converseResult = (toolUseId: string, content: readonly JsonObject[], more: JsonObject = {}) => ({
  toolResult: { toolUseId, content, ...more },
});
const assistant = (...content: JsonObject[]) => ({ role: 'assistant', content });
const user = (...content: JsonObject[]) => ({ role: 'user', content });
const model = (...parts: JsonObject[]) => ({ role: 'model', parts });
const person = (...parts: JsonObject[]) => ({ role: 'user', parts });

/** Calls of earlier turns and their results. */
export const CALL_ROWS: readonly RequestRow[] = [
  {
    concept: 'a call and its result',
    said: {
      chat: chat({ ...chatCalls(), tool_calls: [chatCall('c1', '{"n":1}')] }, chatResult('c1', 'ok')),
      messages: messages(assistant(claudeCall('c1', { n: 1 })), user(claudeResult('c1', { content: 'ok' }))),
      gemini: gemini(model(geminiCall('c1', { n: 1 })), person(geminiResult('c1', { output: 'ok' }))),
    },
    from: { responses: responses(responsesCall('c1', '{"n":1}'), responsesResult('c1', 'ok')) },
    to: {
      responses: asked('input', responsesCall('c1', '{"n":1}'), responsesResult('c1', 'ok')),
      converse: asked(
        'messages',
        assistant(converseCall('c1', { n: 1 })),
        user(converseResult('c1', [{ text: 'ok' }])),
      ),
    },
  },
  {
    concept: 'a call without arguments',
    from: {
      chat: chat({ ...chatCalls(), tool_calls: [chatCall('c1', '')] }, chatResult('c1', 'ok')),
      responses: responses(responsesCall('c1', ''), responsesResult('c1', 'ok')),
      gemini: gemini(
        model({ functionCall: { id: 'c1', name: 'f' } }),
        person(geminiResult('c1', { output: 'ok' })),
      ),
    },
    to: {
      chat: asked('messages', { tool_calls: [chatCall('c1', '{}')] }, {}),
      responses: asked('input', responsesCall('c1', '{}'), {}),
      messages: asked('messages', assistant(claudeCall('c1')), {}),
      gemini: asked('contents', model(geminiCall('c1')), {}),
      converse: asked('messages', assistant(converseCall('c1')), {}),
    },
  },
  {
    concept: 'arguments that are no JSON are kept as text',
    from: { chat: chat({ ...chatCalls(), tool_calls: [chatCall('c1', '{"n":')] }, chatResult('c1', 'ok')) },
    to: {
      chat: asked('messages', { tool_calls: [chatCall('c1', '{"n":')] }, {}),
      responses: asked('input', responsesCall('c1', '{"n":'), {}),
      messages: asked('messages', assistant(claudeCall('c1', { _raw: '{"n":' })), {}),
      gemini: asked('contents', model(geminiCall('c1', { _raw: '{"n":' })), {}),
      converse: asked('messages', assistant(converseCall('c1', { _raw: '{"n":' })), {}),
    },
  },
  {
    concept: 'an id that not every protocol takes',
    from: { chat: chat(chatCalls('f:1'), chatResult('f:1', 'ok')) },
    to: {
      chat: asked('messages', { tool_calls: [{ id: 'f:1' }] }, { tool_call_id: 'f:1' }),
      responses: asked('input', { call_id: 'f:1' }, { call_id: 'f:1' }),
      messages: asked('messages', assistant(claudeCall('f_1')), user({ tool_use_id: 'f_1' })),
      gemini: asked('contents', model(geminiCall('f:1')), person(geminiResult('f:1', {}))),
      converse: asked('messages', assistant(converseCall('f_1')), user({ toolResult: { toolUseId: 'f_1' } })),
    },
  },
  {
    concept: 'an id that is longer than protocols take',
    from: {
      messages: messages(assistant(claudeCall(LONG_ID)), user(claudeResult(LONG_ID, { content: 'ok' }))),
    },
    to: {
      chat: asked('messages', { tool_calls: [{ id: SHORT_ID }] }, { tool_call_id: SHORT_ID }),
      responses: asked('input', { call_id: SHORT_ID }, { call_id: SHORT_ID }),
      messages: asked('messages', assistant(claudeCall(LONG_ID)), {}),
      gemini: asked('contents', model(geminiCall(LONG_ID)), {}),
      converse: asked('messages', assistant(converseCall('x'.repeat(64))), {}),
    },
  },
  {
    concept: 'two calls at once, whose results came in another order and after text',
    from: {
      chat: chat(chatCalls('c1', 'c2'), chatResult('c2', 'two'), chatResult('c1', 'one'), {
        role: 'user',
        content: 'So?',
      }),
      messages: messages(
        assistant(claudeCall('c1'), claudeCall('c2')),
        user(
          { type: 'text', text: 'So?' },
          claudeResult('c2', { content: 'two' }),
          claudeResult('c1', { content: 'one' }),
        ),
      ),
    },
    to: {
      chat: asked('messages', chatCalls('c1', 'c2'), chatResult('c2', 'two'), chatResult('c1', 'one'), {
        role: 'user',
        content: 'So?',
      }),
      responses: asked(
        'input',
        responsesCall('c1'),
        responsesCall('c2'),
        responsesResult('c2', 'two'),
        responsesResult('c1', 'one'),
        { role: 'user' },
      ),
      messages: asked(
        'messages',
        assistant(claudeCall('c1'), claudeCall('c2')),
        user({ tool_use_id: 'c2' }, { tool_use_id: 'c1' }, { text: 'So?' }),
      ),
      gemini: asked(
        'contents',
        model(geminiCall('c1'), geminiCall('c2')),
        person(geminiResult('c2', { output: 'two' }), geminiResult('c1', { output: 'one' }), { text: 'So?' }),
      ),
      converse: asked(
        'messages',
        assistant(converseCall('c1'), converseCall('c2')),
        user(converseResult('c2', [{ text: 'two' }]), converseResult('c1', [{ text: 'one' }]), {
          text: 'So?',
        }),
      ),
    },
  },
  {
    concept: 'calls without ids find their results',
    from: {
      gemini: gemini(
        model({ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'f', args: {} } }),
        person(
          { functionResponse: { name: 'f', response: { result: 'one' } } },
          { functionResponse: { name: 'f', response: { result: 'two' } } },
        ),
      ),
    },
    to: {
      chat: asked(
        'messages',
        chatCalls('call_1', 'call_2'),
        chatResult('call_1', 'one'),
        chatResult('call_2', 'two'),
      ),
      responses: asked('input', {}, {}, responsesResult('call_1', 'one'), responsesResult('call_2', 'two')),
      messages: asked(
        'messages',
        {},
        user({ tool_use_id: 'call_1', content: 'one' }, { tool_use_id: 'call_2' }),
      ),
      gemini: asked('contents', {}, person(geminiResult('call_1', { output: 'one' }), {})),
      converse: asked('messages', {}, user(converseResult('call_1', [{ text: 'one' }]), {})),
    },
  },
  {
    concept: 'a result that is an object',
    said: {
      chat: chat(chatCalls('c1'), chatResult('c1', '{"n":1}')),
      gemini: gemini(model(geminiCall('c1')), person(geminiResult('c1', { n: 1 }))),
    },
    to: {
      responses: asked('input', {}, responsesResult('c1', '{"n":1}')),
      messages: asked('messages', {}, user(claudeResult('c1', { content: '{"n":1}' }))),
      converse: asked('messages', {}, user(converseResult('c1', [{ text: '{"n":1}' }]))),
    },
  },
  {
    concept: 'a result that is an error',
    said: {
      messages: messages(
        assistant(claudeCall('c1')),
        user(claudeResult('c1', { content: 'No.', is_error: true })),
      ),
      gemini: gemini(model(geminiCall('c1')), person(geminiResult('c1', { error: 'No.' }))),
    },
    to: {
      chat: asked('messages', {}, chatResult('c1', 'Error: No.')),
      responses: asked('input', {}, responsesResult('c1', 'Error: No.')),
      converse: asked('messages', {}, user(converseResult('c1', [{ text: 'No.' }], { status: 'error' }))),
    },
  },
  {
    concept: 'a result without anything in it',
    said: { chat: chat(chatCalls('c1'), chatResult('c1', '')) },
    from: {
      responses: responses(responsesCall('c1'), responsesResult('c1', '')),
      messages: messages(assistant(claudeCall('c1')), user(claudeResult('c1', {}))),
      gemini: gemini(model(geminiCall('c1')), person(geminiResult('c1', {}))),
    },
    to: {
      responses: asked('input', {}, responsesResult('c1', '')),
      messages: asked('messages', {}, user(claudeResult('c1', {}))),
      gemini: asked('contents', {}, person(geminiResult('c1', { output: '' }))),
      converse: asked('messages', {}, user(converseResult('c1', [{ text: 'The tool returned nothing.' }]))),
    },
  },
  {
    concept: 'a result with an image',
    model: 'gemini-3.5-flash',
    from: {
      responses: responses(
        responsesCall('c1'),
        responsesResult('c1', [
          { type: 'input_text', text: 'See:' },
          { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
        ]),
      ),
      messages: messages(
        assistant(claudeCall('c1')),
        user(
          claudeResult('c1', {
            content: [
              { type: 'text', text: 'See:' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            ],
          }),
        ),
      ),
    },
    to: {
      chat: asked('messages', {}, chatResult('c1', 'See:'), {
        role: 'user',
        content: [{ text: 'Output of f (c1):' }, { type: 'image_url' }],
      }),
      responses: asked('input', {}, responsesResult('c1', [{ text: 'See:' }, { type: 'input_image' }])),
      messages: asked('messages', {}, user({ content: [{ text: 'See:' }, { type: 'image' }] })),
      gemini: asked(
        'contents',
        {},
        person(
          geminiResult('c1', { output: 'See:' }, { parts: [{ inlineData: { mimeType: 'image/png' } }] }),
        ),
      ),
      converse: asked(
        'messages',
        {},
        user(converseResult('c1', [{ text: 'See:' }, { image: { format: 'png' } }])),
      ),
    },
  },
  {
    concept: 'the same, for models of Google whose results hold no media',
    model: 'gemini-2.5-flash',
    from: {
      messages: messages(
        assistant(claudeCall('c1')),
        user(
          claudeResult('c1', {
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
          }),
        ),
      ),
    },
    to: {
      chat: asked('messages', {}, chatResult('c1', 'See the attachment below.'), { role: 'user' }),
      responses: asked('input', {}, responsesResult('c1', [{ type: 'input_image' }])),
      messages: asked('messages', {}, user({ content: [{ type: 'image' }] })),
      gemini: asked('contents', {}, person(geminiResult('c1', { output: '' }), { inlineData: {} })),
      converse: asked('messages', {}, user(converseResult('c1', [{ image: {} }]))),
    },
  },
  {
    concept: 'an unanswered call',
    from: {
      chat: chat(chatCalls('c1'), { role: 'user', content: 'So?' }),
      messages: messages(assistant(claudeCall('c1')), user({ type: 'text', text: 'So?' })),
      gemini: gemini(model(geminiCall('c1')), person({ text: 'So?' })),
    },
    to: {
      chat: asked('messages', {}, chatResult('c1', `Error: ${UNANSWERED}`), { role: 'user' }),
      responses: asked('input', {}, responsesResult('c1', `Error: ${UNANSWERED}`), { role: 'user' }),
      messages: asked('messages', {}, user({ content: UNANSWERED, is_error: true }, { text: 'So?' })),
      gemini: asked('contents', {}, person(geminiResult('c1', { error: UNANSWERED }), { text: 'So?' })),
      converse: asked(
        'messages',
        {},
        user(converseResult('c1', [{ text: UNANSWERED }], { status: 'error' }), {}),
      ),
    },
  },
  {
    concept: 'a result of a call that was never made',
    from: {
      chat: chat(chatResult('c9', 'ok')),
      responses: responses(responsesResult('c9', 'ok')),
      messages: messages(user(claudeResult('c9', { content: 'ok' }))),
      gemini: gemini(person({ functionResponse: { name: 'g', response: {} } })),
    },
    to: {
      chat: refused(),
      responses: refused(),
      messages: refused(),
      gemini: refused(),
      converse: refused(),
    },
  },
  {
    concept: 'text on both sides of a call',
    from: {
      messages: messages(
        assistant({ type: 'text', text: 'a' }, claudeCall('c1'), { type: 'text', text: 'b' }),
        user(claudeResult('c1', { content: 'ok' })),
      ),
    },
    to: {
      chat: asked('messages', { content: 'ab', tool_calls: [{ id: 'c1' }] }, {}),
      responses: asked('input', { role: 'assistant' }, { call_id: 'c1' }, { role: 'assistant' }, {}),
      messages: asked('messages', assistant({ text: 'a' }, { id: 'c1' }, { text: 'b' }), {}),
      gemini: asked('contents', model({ text: 'a' }, geminiCall('c1'), { text: 'b' }), {}),
      converse: asked('messages', assistant({ text: 'a' }, converseCall('c1'), { text: 'b' }), {}),
    },
  },
];
