import { describe, expect, it } from 'vitest';
import { findCodec, findUpstreamProtocol, type ProtocolName } from '../chat/chat-protocols.js';
import type { JsonObject } from '../json.js';
import { knownSchemas, openApiSchemas } from '../gemini-generate/schema.js';
import { structuredSchemas } from './adapt-schema.js';
import { readReplyArgumentsInSlices, writeArgumentsInSlices } from './arguments-in-slices.js';
import { FileMarks } from './file-marks.js';
import { isWritten } from './json-text.js';
import { convertMediaInSlices } from './media-in-slices.js';
import type { CanonicalRequest } from './request.js';
import { readResultsInSlices } from './results-in-slices.js';
import { noteSchemasInSlices } from './schemas-in-slices.js';
import type { SchemaPass } from './schema-pass.js';
import { closedSchemas, strictSchemas } from './schema-rules.js';

const TEXT = 'A text of some length, 漢字 and 😀. '.repeat(60_000);
const BASE64 = Buffer.from(TEXT).toString('base64');
/** As Google's SDK for Python writes it. */
const FOR_URLS = Buffer.from(TEXT).toString('base64url');
const PROPERTIES = 3_000;

/** A pause that is counted. */
function countPauses() {
  const counted = { pauses: 0, pause: async () => void counted.pauses++ };
  return counted;
}

function decode(from: ProtocolName, request: JsonObject): CanonicalRequest {
  return findCodec(from).decodeRequest(request, 'm', false);
}

function encode(to: ProtocolName, request: CanonicalRequest): string {
  const client = findUpstreamProtocol('anthropic-messages');
  const dropped = { add: () => undefined };
  const context = { upstreamModel: 'u', channelType: 'some-channel', traits: {}, client, dropped };
  return JSON.stringify(findCodec(to).encodeRequest(request, context));
}

const ofAnthropic = (source: JsonObject): JsonObject => ({
  max_tokens: 5,
  messages: [{ role: 'user', content: [{ type: 'document', title: 'a', source }] }],
});
const ofGemini = (mimeType: string, data: string): JsonObject => ({
  contents: [{ role: 'user', parts: [{ inlineData: { mimeType, data } }] }],
});
const ofResponses = (data: string): JsonObject => ({
  input: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.txt', file_data: data }] }],
});

describe('M5: a document of megabytes is converted in steps', () => {
  it.each<[ProtocolName, JsonObject, ProtocolName, string]>([
    [
      'anthropic-messages',
      ofAnthropic({ type: 'text', media_type: 'text/plain', data: TEXT }),
      'gemini-generate',
      BASE64,
    ],
    [
      'anthropic-messages',
      ofAnthropic({ type: 'text', media_type: 'text/plain', data: TEXT }),
      'bedrock-converse',
      BASE64,
    ],
    [
      'anthropic-messages',
      ofAnthropic({ type: 'base64', media_type: 'text/plain', data: BASE64 }),
      'openai-chat',
      JSON.stringify(TEXT).slice(1, -1),
    ],
    ['gemini-generate', ofGemini('text/plain', FOR_URLS), 'anthropic-messages', TEXT],
    ['gemini-generate', ofGemini('text/plain', FOR_URLS), 'bedrock-converse', BASE64],
    ['gemini-generate', ofGemini('application/pdf', FOR_URLS), 'anthropic-messages', BASE64],
    ['openai-responses', ofResponses(`data:text/plain;base64,${BASE64}`), 'gemini-generate', BASE64],
  ])('from %s (%#) for %s', async (from, request, to, content) => {
    const steps = countPauses();
    const { textForm } = findUpstreamProtocol(to);
    const marks = new FileMarks();
    const converted = await convertMediaInSlices(decode(from, request), {
      textForm,
      marks,
      pause: steps.pause,
    });
    const written = Buffer.from(encode(to, converted));
    expect((await marks.put(written, steps.pause)).includes(content)).toBe(true);
    expect(steps.pauses).toBeGreaterThanOrEqual(3);
  });

  it.each<[string, ProtocolName, ProtocolName]>([
    ['text', 'gemini-generate', 'bedrock-converse'],
    ['base64', 'openai-chat', 'anthropic-messages'],
  ])('for each attempt of a call by itself, which came as %s', async (type, to, other) => {
    const data = type === 'text' ? TEXT : BASE64;
    const request = decode('anthropic-messages', ofAnthropic({ type, media_type: 'text/plain', data }));
    const convert = async (marks: FileMarks) => {
      const writing = { textForm: findUpstreamProtocol(to).textForm, marks, pause: async () => undefined };
      return { marks, converted: await convertMediaInSlices(request, writing) };
    };
    const content = type === 'text' ? BASE64 : JSON.stringify(TEXT).slice(1, -1);
    for (const { marks, converted } of await Promise.all([
      convert(new FileMarks()),
      convert(new FileMarks()),
    ])) {
      const written = await marks.put(Buffer.from(encode(to, converted)), async () => undefined);
      expect(written.includes(content)).toBe(true);
    }
    // An attempt that is converted in one step.
    for (const protocol of [to, other]) expect(encode(protocol, request).includes(content)).toBe(true);
  });

  it('and one that is small, or needs nothing, is left as it is', async () => {
    const steps = countPauses();
    const marks = new FileMarks();
    for (const data of ['aGVsbG8=', BASE64]) {
      const source = { type: 'base64', media_type: 'application/pdf', data };
      const request = decode('anthropic-messages', ofAnthropic(source));
      const writing = { textForm: 'text', marks, pause: steps.pause } as const;
      expect(await convertMediaInSlices(request, writing)).toBe(request);
    }
    const json = Buffer.from('{}');
    expect(await marks.put(json, steps.pause)).toBe(json);
    expect(steps.pauses).toBe(0);
  });
});

/** A schema of objects in objects, each of which loses something, is not closed, or is not strict. */
function makeSchema(change: JsonObject = {}): JsonObject {
  const properties = Object.fromEntries(
    Array.from({ length: PROPERTIES }, (_, at) => [
      `p${at}`,
      {
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: { a: { type: 'STRING', minLength: 1, description: 'a' } },
        anyOf: [{ const: at }, { not: { multipleOf: 2 } }],
      },
    ]),
  );
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties),
    properties,
    ...change,
  };
}

describe('M5: a schema of thousands of properties is read in steps', () => {
  const passes: Readonly<Record<string, Pick<SchemaPass<unknown>, 'note' | 'of'>>> = {
    'for Google': knownSchemas,
    'of Google': openApiSchemas,
    'for structured outputs': structuredSchemas,
    'that may be closed': closedSchemas,
    'that may be strict': strictSchemas,
  };

  it.each(Object.entries(passes))('%s', async (_, pass) => {
    for (const change of [{}, { required: [] }, { allOf: [makeSchema(), { properties: { q: {} } }] }]) {
      const expected = JSON.stringify(pass.of(makeSchema(change)));
      const schema = makeSchema(change);
      const steps = countPauses();
      await pass.note([schema], steps.pause);
      expect(JSON.stringify(pass.of(schema)) === expected).toBe(true);
      expect(steps.pauses).toBeGreaterThan((2 * PROPERTIES) / 1_000);
    }
  });

  it('and once: what was noted is what an upstream gets', async () => {
    const schema = makeSchema();
    const tools = [{ name: 'f', strict: true, input_schema: schema }];
    const request = decode('anthropic-messages', {
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hello' }],
      tools,
      output_config: { format: { type: 'json_schema', schema } },
    });
    for (const to of ['gemini-generate', 'bedrock-converse', 'openai-chat', 'openai-responses'] as const) {
      const expected = encode(to, request);
      await noteSchemasInSlices(request, findUpstreamProtocol(to).schemaPasses ?? [], () =>
        Promise.resolve(),
      );
      expect(encode(to, request) === expected).toBe(true);
    }
  });
});

describe('M5: what tools gave back is read as objects in steps', () => {
  const ofTools = (texts: readonly string[]): CanonicalRequest =>
    decode('anthropic-messages', {
      max_tokens: 5,
      messages: [
        { role: 'user', content: 'hello' },
        {
          role: 'assistant',
          content: texts.map((_, at) => ({ type: 'tool_use', id: `t${at}`, name: 'f', input: {} })),
        },
        {
          role: 'user',
          content: texts.map((content, at) => ({ type: 'tool_result', tool_use_id: `t${at}`, content })),
        },
      ],
    });
  const large = JSON.stringify({ rows: Array.from({ length: 60_000 }, (_, at) => [at, 'a']), id: 1 });
  const long = `{"id":12345678901234567890,"a":"${'a'.repeat(200_000)}"}`;
  const half = `{"a":"\ud83d${'a'.repeat(200_000)}"}`;

  it('and comes out as if it had been read at once', async () => {
    const steps = countPauses();
    const texts = [
      large,
      long,
      half,
      '{"a":1}',
      'no object',
      `[${'1,'.repeat(1_000)}1]`,
      '{',
      ' '.repeat(9_000),
    ];
    const expected = encode('gemini-generate', ofTools(texts));
    const request = ofTools(texts);
    await readResultsInSlices(request, steps.pause);
    expect(encode('gemini-generate', request) === expected).toBe(true);
    expect(expected.includes('"response":{"rows":[[0,"a"]')).toBe(true);
    expect(expected.includes('12345678901234567890')).toBe(true);
    expect(steps.pauses).toBeGreaterThan(10);
  });

  it('with more different names than any answer has', async () => {
    const named = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`name_${at}`, at]));
    const request = ofTools([JSON.stringify(named)]);
    await readResultsInSlices(request, () => Promise.resolve());
    expect(encode('gemini-generate', request)).toContain('"response":{"name_0":0,');
  });

  it('unless it has more of them than anyone writes', async () => {
    const text = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`k${at}`, at])),
    );
    for (const isRead of [false, true]) {
      const request = ofTools([text]);
      if (isRead) await readResultsInSlices(request, () => Promise.resolve());
      expect(encode('gemini-generate', request)).toContain(`{"output":${JSON.stringify(text)}}`);
    }
  });

  it('unless it is nested deeper than it can be written again', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const isRead of [false, true]) {
      const request = ofTools([deep]);
      if (isRead) await readResultsInSlices(request, () => Promise.resolve());
      expect(encode('gemini-generate', request)).toContain(`{"output":${JSON.stringify(deep)}}`);
    }
  });
});

describe('M5: long arguments of answers are written and read in steps', () => {
  const text = JSON.stringify({ rows: Array.from({ length: 40_000 }, (_, at) => [at, 'a']) });

  it.each<[ProtocolName, (input: JsonObject) => JsonObject]>([
    ['anthropic-messages', (input) => ({ content: [{ type: 'tool_use', id: 't', name: 'f', input }] })],
    [
      'gemini-generate',
      (args) => ({ candidates: [{ content: { parts: [{ functionCall: { name: 'f', args } }] } }] }),
    ],
    [
      'bedrock-converse',
      (input) => ({ output: { message: { content: [{ toolUse: { toolUseId: 't', name: 'f', input } }] } } }),
    ],
  ])('of %s', async (from, write) => {
    const input = JSON.parse(text) as JsonObject;
    const answer = write(input);
    const steps = countPauses();
    const { listAnswerInputs, codec } = findUpstreamProtocol(from);
    await writeArgumentsInSlices(listAnswerInputs?.(answer) ?? [], steps.pause);
    expect(steps.pauses).toBeGreaterThan(5);
    expect(isWritten(input)).toBe(true);
    expect(codec.decodeReply(answer).choices[0]?.blocks).toMatchObject([{ arguments: text }]);
  });

  it.each<[ProtocolName]>([['anthropic-messages'], ['gemini-generate'], ['bedrock-converse']])(
    'for %s, also where the answer was cut off',
    async (to) => {
      const { codec } = findUpstreamProtocol(to);
      for (const finish_reason of ['tool_calls', 'length']) {
        const calls = [text, text.slice(0, -1)].map((json, at) => ({
          id: `c${at}`,
          type: 'function',
          function: { name: 'f', arguments: json },
        }));
        const choice = { index: 0, finish_reason, message: { role: 'assistant', tool_calls: calls } };
        const reply = findCodec('openai-chat').decodeReply({ id: 'msg_1', choices: [choice] });
        const steps = countPauses();
        const read = await readReplyArgumentsInSlices(reply, steps.pause);
        expect(steps.pauses).toBeGreaterThan(5);
        const written = codec.encodeReply(read, { model: 'm', includeUsage: true });
        expect(written).toEqual(codec.encodeReply(reply, { model: 'm', includeUsage: true }));
        expect(JSON.stringify(written).includes(`:${text}`)).toBe(true);
      }
    },
  );
});
