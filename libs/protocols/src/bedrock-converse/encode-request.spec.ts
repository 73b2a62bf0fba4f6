import { describe, expect, it } from 'vitest';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { codec as openaiChat } from '../openai-chat/codec.js';
import { codec as converse } from './codec.js';
import type { BedrockConverseTraits } from './traits.js';

const QUESTION = { role: 'user', content: 'Where?' };
const CALL = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } };
const LOOP = [
  QUESTION,
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'call_1', content: '' },
];
const SCHEMA = { type: 'object', properties: {}, additionalProperties: false };

function encode(body: JsonObject, traits: BedrockConverseTraits = {}) {
  const dropped: string[] = [];
  const request = openaiChat.decodeRequest({ model: 'm', messages: [QUESTION], ...body }, 'm', false);
  const encoded = converse.encodeRequest(request, {
    upstreamModel: 'u',
    channelType: 'some-channel',
    traits,
    client: findUpstreamProtocol('openai-chat'),
    dropped: { add: (field) => void dropped.push(field) },
  });
  return { encoded, dropped };
}

describe('thinking', () => {
  it.each<[BedrockConverseTraits, JsonObject, JsonObject | undefined]>([
    [
      { effortField: 'reasoning_effort', efforts: ['low', 'medium', 'high'] },
      {},
      { reasoning_effort: 'high' },
    ],
    [{ effortField: 'reasoning', efforts: ['low', 'high'] }, {}, { reasoning: { effort: 'high' } }],
    [
      { effortField: 'reasoningConfig', efforts: ['none', 'low', 'medium', 'high'] },
      {},
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' } },
    ],
    [
      { effortField: 'reasoningConfig', efforts: ['none', 'low', 'medium', 'high'] },
      { max_tokens: 64 },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } },
    ],
    [
      { effortField: 'reasoningConfig', efforts: ['none', 'low', 'medium', 'high'] },
      { reasoning_effort: 'none' },
      { reasoningConfig: { type: 'disabled' } },
    ],
  ])('is asked for as the model wants it: %j, %j', (traits, body, fields) => {
    const { encoded, dropped } = encode({ reasoning_effort: 'high', ...body }, traits);
    expect(encoded.additionalModelRequestFields).toEqual(fields);
    expect(dropped).toEqual([]);
  });

  it('is left out and named where a model cannot be asked', () => {
    const { encoded, dropped } = encode({ reasoning_effort: 'high' });
    expect(encoded).not.toHaveProperty('additionalModelRequestFields');
    expect(dropped).toEqual(['thinking']);
  });
});

describe('tools', () => {
  it('of the history are declared where the caller declares none, and told not to be called', () => {
    const { encoded } = encode({ messages: LOOP });
    expect(encoded.toolConfig).toEqual({
      tools: [{ toolSpec: { name: 'now', inputSchema: { json: { type: 'object', properties: {} } } } }],
    });
    expect(encoded.system).toEqual([{ text: 'Answer without calling any tool.' }]);
  });

  it('stay out of a conversation that may not call and never did', () => {
    const tools = [{ type: 'function', function: { name: 'now' } }];
    expect(encode({ tools, tool_choice: 'none' }).encoded).not.toHaveProperty('toolConfig');
    expect(encode({ tools, tool_choice: 'none', messages: LOOP }).encoded).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: 'now' } }] },
      system: [{ text: 'Answer without calling any tool.' }],
    });
  });
});

describe('what the provider refuses', () => {
  it('a schema, by models that take none: it goes into the prompt', () => {
    const format = { type: 'json_schema', json_schema: { name: 'place', schema: SCHEMA } };
    const { encoded } = encode({ response_format: format }, { supportsJsonSchema: false });
    expect(encoded).not.toHaveProperty('outputConfig');
    expect(JSON.stringify(encoded.system)).toContain('JSON Schema');
  });

  it('a document without a word, and two of one name', () => {
    const file = {
      type: 'file',
      file: { filename: 'a&b.pdf', file_data: 'data:application/pdf;base64,AA==' },
    };
    const { encoded } = encode({ messages: [{ role: 'user', content: [file, file] }] });
    expect(encoded.messages).toEqual([
      {
        role: 'user',
        content: [
          { document: { format: 'pdf', name: 'a-b-pdf', source: { bytes: 'AA==' } } },
          { document: { format: 'pdf', name: 'a-b-pdf (2)', source: { bytes: 'AA==' } } },
          { text: 'See the attached document.' },
        ],
      },
    ]);
  });

  it('ids of calls that are too long', () => {
    const id = `call-${'x'.repeat(80)}`;
    const messages = [
      QUESTION,
      { role: 'assistant', content: null, tool_calls: [{ ...CALL, id }] },
      { role: 'tool', tool_call_id: id, content: 'noon' },
    ];
    const text = JSON.stringify(encode({ messages }).encoded);
    expect(text.match(/"toolUseId":"x{64}"/g)).toHaveLength(2);
  });

  it('temperatures above 1', () => {
    const { encoded, dropped } = encode({ temperature: 1.5 });
    expect(encoded.inferenceConfig).toEqual({ temperature: 1 });
    expect(dropped).toEqual(['temperature']);
  });
});
