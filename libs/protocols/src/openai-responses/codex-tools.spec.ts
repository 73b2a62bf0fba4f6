import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { omitUndefined } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { Codec, ReplyContext } from '../canonical/codec.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { listToolOrigins } from '../canonical/tool-origin.js';
import { findCodec } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { listEvents } from '../matrix/convert-answer.js';
import { flattenName, unwrapInput } from './caller-tools.js';
import { codec as openaiResponses } from './codec.js';

const WIRES = ['openai-chat', 'anthropic-messages', 'gemini-generate', 'bedrock-converse'] as const;
const PATCH = '*** Begin Patch\n"quoted" \u2713';

function readRequest(concept: string): JsonObject {
  const path = join(import.meta.dirname, '__golden__', concept, 'request.json');
  return JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
}

function callOf(id: string, name: string, args: object): CanonicalReply['choices'][number]['blocks'][number] {
  return { type: 'tool-call', id, name, arguments: JSON.stringify(args) };
}

const LONG_NAME = flattenName('mcp__a_server_with_a_name_that_goes_on_and_on', 'a_tool_with_a_long_name');

/** What a model answers that calls each of Codex's tools by the name that its protocol gave it. */
const REPLY: CanonicalReply = {
  id: 'x',
  model: 'm',
  created: 1,
  choices: [
    {
      blocks: [
        callOf('call_3', 'functions__apply_patch', { input: PATCH }),
        callOf('call_4', 'functions__exec_command', { cmd: 'ls' }),
        callOf('call_5', LONG_NAME, {}),
      ],
      stop: 'tool-call',
      stopSequence: undefined,
      refusal: undefined,
      logprobs: undefined,
    },
  ],
  usage: undefined,
  ext: {},
};

const CALLS = [
  {
    type: 'custom_tool_call',
    name: 'apply_patch',
    namespace: 'functions',
    input: PATCH,
    status: 'completed',
  },
  { type: 'function_call', name: 'exec_command', namespace: 'functions', arguments: '{"cmd":"ls"}' },
  {
    type: 'function_call',
    name: 'a_tool_with_a_long_name',
    namespace: 'mcp__a_server_with_a_name_that_goes_on_and_on',
    arguments: '{}',
  },
];

function contextFor(request: JsonObject): ReplyContext {
  const toolOrigins = listToolOrigins(openaiResponses.decodeRequest(request, 'm', true).tools);
  return omitUndefined({ model: 'm', includeUsage: true, toolOrigins });
}

function streamAs(codec: Codec, reply: CanonicalReply): Buffer {
  const encoder = codec.createStreamEncoder({ model: 'm', includeUsage: true });
  return Buffer.from(
    listEvents(reply)
      .map((event) => encoder.encode(event))
      .join(''),
  );
}

function readFrames(text: string): JsonObject[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as JsonObject);
}

describe('clients 3: the tools of Codex over channels of other protocols', () => {
  const request = readRequest('codex-tools');
  const context = contextFor(request);

  it.each(WIRES)('come back from %s as they were declared', (wire) => {
    const codec = findCodec(wire);
    const upstream = codec.encodeReply(REPLY, { model: 'm', includeUsage: true });
    const answer = openaiResponses.encodeReply(codec.decodeReply(upstream), context);
    expect(answer.output).toMatchObject(CALLS);
  });

  it.each(['openai-chat', 'anthropic-messages', 'gemini-generate'] as const)(
    'come back from a stream of %s as they were declared',
    (wire) => {
      const decoder = findCodec(wire).createStreamDecoder();
      const encoder = openaiResponses.createStreamEncoder(context);
      const events = [...decoder.push(streamAs(findCodec(wire), REPLY)), ...decoder.end()];
      const frames = readFrames(events.map((event) => encoder.encode(event)).join(''));
      const done = frames.filter(({ type }) => type === 'response.output_item.done');
      expect(done.map(({ item }) => item)).toMatchObject(CALLS);
      expect(frames).toContainEqual(
        expect.objectContaining({ type: 'response.custom_tool_call_input.done', input: PATCH }),
      );
      expect(JSON.stringify(frames)).not.toContain('functions__');
    },
  );

  it('are called in the next turn by the names that the model knows', () => {
    const { output } = openaiResponses.encodeReply(REPLY, context) as { output: JsonObject[] };
    const next = { ...request, input: [...(request.input as JsonObject[]), ...output] };
    const { turns } = openaiResponses.decodeRequest(next, 'm', true);
    const names = turns.flatMap(({ blocks }) =>
      blocks.flatMap((block) => ('name' in block ? [block.name] : [])),
    );
    expect(names.slice(-3)).toEqual(['functions__apply_patch', 'functions__exec_command', LONG_NAME]);
    expect(LONG_NAME).toMatch(/^[\w-]{1,64}$/);
  });

  it('are searched for by the client', () => {
    const search = readRequest('codex-tool-search');
    const reply = {
      ...REPLY,
      choices: REPLY.choices.map((choice) => ({
        ...choice,
        blocks: [callOf('call_9', 'tool_search', { query: 'mail' }), callOf('call_8', 'calendar__book', {})],
      })),
    };
    expect(openaiResponses.encodeReply(reply, contextFor(search)).output).toMatchObject([
      { type: 'tool_search_call', call_id: 'call_9', execution: 'client', arguments: { query: 'mail' } },
      { type: 'function_call', namespace: 'calendar', name: 'book' },
    ]);
  });

  it.each([
    [
      [{ type: 'namespace', name: 'a', tools: [{ type: 'namespace', name: 'b', tools: [] }] }],
      'tools[0].tools[0].type',
    ],
    [[{ type: 'namespace', name: 'a', tools: [{ type: 'web_search' }] }], 'tools[0].tools[0].type'],
    [
      [
        { type: 'function', name: 'a__b' },
        { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] },
      ],
      'tools[1].tools[0].name',
    ],
    [
      [
        { type: 'function', name: 'a' },
        { type: 'custom', name: 'a' },
      ],
      'tools[1].name',
    ],
  ])('are refused where they could not be told apart: %j', (tools, param) => {
    const decode = (body: object) =>
      openaiResponses.decodeRequest({ model: 'm', input: 'x', ...body }, 'm', false);
    expect(() => decode({ tools })).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
    const added = {
      input: [
        { type: 'message', role: 'user', content: 'x' },
        { type: 'additional_tools', tools },
      ],
    };
    expect(() => decode(added)).toThrow(expect.objectContaining({ param: `input[1].${param}` }));
  });
});

it('clients 3: tools that are loaded stay what they were declared as', () => {
  const tool = { type: 'function', name: 'a', parameters: { type: 'object' }, defer_loading: true };
  const loaded = { type: 'tool_search_output', call_id: null, execution: 'server', tools: [tool] };
  const request = {
    model: 'm',
    tools: [tool, { type: 'tool_search' }],
    input: [{ role: 'user', content: 'x' }, loaded],
  };
  const { tools, turns } = openaiResponses.decodeRequest(request, 'm', false);
  expect(tools).toHaveLength(1);
  expect(tools[0]?.origin).toBeUndefined();
  expect(turns).toHaveLength(1);
});

describe('clients 3: free text', () => {
  it.each([
    ['{"input":"a"}', 'a'],
    ['{"patch":"a"}', 'a'],
    ['{"input":"a","b":1}', 'a'],
    ['{"a":1,"b":2}', '{"a":1,"b":2}'],
    ['not JSON', 'not JSON'],
    ['{"input":"a","b":"c"}', 'a'],
    ['{"input":"a\\n"}', 'a\n'],
    ['{"input":"cut', '{"input":"cut'],
  ])('is read out of %s', (json, text) => {
    expect(unwrapInput(json)).toBe(text);
  });

  it('is read out of arguments of megabytes, of which nothing else is', () => {
    const input = '\n'.repeat(600_000);
    expect(unwrapInput(JSON.stringify({ input }))).toBe(input);
    const other = JSON.stringify({ a: 1, input });
    expect(unwrapInput(other)).toBe(other);
  });
});

describe("what Codex's agents say to each other", () => {
  const said = (content: object) => ({
    model: 'm',
    input: [
      { type: 'message', role: 'user', content: 'Review it.' },
      { type: 'agent_message', author: '/root/reviewer', recipient: '/root', content: [content] },
    ],
  });

  it.each(WIRES)('is carried, with who says it: %s', (wire) => {
    const request = openaiResponses.decodeRequest(
      said({ type: 'input_text', text: 'It is fine.' }),
      'm',
      false,
    );
    const dropped: string[] = [];
    const encoded = findCodec(wire).encodeRequest(request, {
      upstreamModel: 'x',
      traits: {},
      channelType: 'x',
      client: { name: 'openai-responses', fieldNames: {}, bindingFields: {}, cacheMarks: [] },
      dropped: { add: (field: string) => void dropped.push(field) },
    });
    const text = JSON.stringify(encoded);
    for (const part of ['/root/reviewer', 'It is fine.']) expect(text).toContain(part);
    expect(dropped).toEqual([]);
  });

  it('is refused where OpenAI alone can read it', () => {
    const sealed = said({ type: 'encrypted_content', encrypted_content: 'gAAAA' });
    expect(() => openaiResponses.decodeRequest(sealed, 'm', false)).toThrow('input[1].content[0].type');
  });
});
