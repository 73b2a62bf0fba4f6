import { describe, expect, it, vi } from 'vitest';
import { ConvertingStream } from '../chat/converting-stream.js';
import { findCodec, type ProtocolName } from '../chat/chat-protocols.js';
import { CallQueue } from '../openai-chat/call-queue.js';
import { readResponseUsage } from '../openai-responses/read-usage.js';
import type { JsonObject } from '../json.js';
import { measureGrowth } from '../testing/cpu-time.js';
import { EventWriter } from './event-writer.js';
import { limitReply } from './limit-answer.js';
import { readFaultClass } from './read-fault-class.js';

const MEGABYTES = 'é/+ '.repeat(1_000_000);
/** V8 tells strings of this length from each other by comparing them. */
const LONG = 'x'.repeat(16_400);

const read = (protocol: ProtocolName, answer: JsonObject) =>
  limitReply(findCodec(protocol).decodeReply(answer));
const message = (said: JsonObject, beside: JsonObject = {}): JsonObject => ({
  id: 'x',
  choices: [{ index: 0, message: { content: 'abc', ...said }, finish_reason: 'stop' }],
  ...beside,
});
const ofMessages = (block: JsonObject): JsonObject => ({ id: 'm', type: 'message', content: [block] });
const ofGemini = (part: JsonObject, beside: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts: [part] }, finishReason: 'STOP', ...beside }],
});
const ofConverse = (block: JsonObject): JsonObject => ({ output: { message: { content: [block] } } });

/** Answers that hold megabytes where no provider has as many. */
const TOO_LONG: readonly (readonly [string, ProtocolName, JsonObject])[] = [
  ['name of a call', 'openai-chat', message({ tool_calls: [{ id: 'c', function: { name: MEGABYTES } }] })],
  ['refusal', 'openai-chat', message({ refusal: MEGABYTES })],
  [
    'signature',
    'openai-chat',
    message({ thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: MEGABYTES }] }),
  ],
  [
    'detail',
    'openai-chat',
    message({ reasoning_details: [{ type: 'reasoning.encrypted', data: MEGABYTES }] }),
  ],
  ['image', 'openai-chat', message({ images: [{ image_url: { url: `http://${MEGABYTES}` } }] })],
  ['proof', 'openai-responses', { output: [{ type: 'reasoning', id: 'r', encrypted_content: MEGABYTES }] }],
  ['signature', 'anthropic-messages', ofMessages({ type: 'thinking', thinking: 'a', signature: MEGABYTES })],
  ['redacted thought', 'anthropic-messages', ofMessages({ type: 'redacted_thinking', data: MEGABYTES })],
  ['signature', 'gemini-generate', ofGemini({ functionCall: { name: 'f' }, thoughtSignature: MEGABYTES })],
  ['media type', 'gemini-generate', ofGemini({ inlineData: { mimeType: MEGABYTES, data: 'aaaa' } })],
  ['redacted thought', 'bedrock-converse', ofConverse({ reasoningContent: { redactedContent: MEGABYTES } })],
];

describe('limitReply', () => {
  it.each(TOO_LONG)(
    'refuses an answer whose %s is longer than any provider gives (%s)',
    (_, protocol, answer) => {
      expect(() => read(protocol, answer)).toThrow(/longer/);
    },
  );

  it.each<[ProtocolName, JsonObject]>([
    ['openai-chat', message({}, { id: MEGABYTES })],
    ['openai-responses', { id: MEGABYTES, output: [] }],
    ['anthropic-messages', { ...ofMessages({ type: 'text', text: 'a' }), id: MEGABYTES }],
    ['gemini-generate', { ...ofGemini({ text: 'a' }), responseId: MEGABYTES }],
  ])('gives an answer of %s a short id', (protocol, answer) => {
    expect(read(protocol, answer).id).toMatch(/^[0-9a-f]{64}$/);
  });

  it('makes the ids of calls out of a short id of their answer', () => {
    const calls = [{ function: { name: 'f', arguments: '{}' } }];
    const [choice] = findCodec('openai-chat').decodeReply(
      message({ tool_calls: calls }, { id: MEGABYTES }),
    ).choices;
    expect(choice?.blocks.at(-1)).toMatchObject({ id: expect.stringMatching(/^call_[0-9a-f]{64}_0$/) });
  });

  it('reads no time in megabytes', () => {
    const parse = vi.spyOn(Date, 'parse');
    const reply = read('gemini-generate', { ...ofGemini({ text: 'a' }), createTime: '2'.repeat(1_000_000) });
    const [[time] = ['']] = parse.mock.calls;
    parse.mockRestore();
    expect(reply.created).toBe(0);
    expect(time.length).toBeLessThan(100);
  });

  it('shortens ids of calls', () => {
    const [choice] = read(
      'anthropic-messages',
      ofMessages({ type: 'tool_use', id: LONG, name: 'f', input: {} }),
    ).choices;
    expect(choice?.blocks).toMatchObject([{ id: expect.stringMatching(/^call_.{35}$/) }]);
  });

  it('leaves out citations of sources with long addresses, and those beyond two million characters', () => {
    const cite = (url: string) => ({ type: 'url_citation', url_citation: { url, title: 't' } });
    const many = Array.from({ length: 600 }, () => cite('y'.repeat(8_000)));
    const [choice] = read('openai-chat', message({ annotations: [cite(LONG), ...many] })).choices;
    expect(choice?.blocks).toMatchObject([{ citations: { length: Math.floor((2 * 1024 * 1024) / 8_001) } }]);
  });

  it('does not repeat the long address of one source for each of its citations', () => {
    const chunk = { web: { uri: 'y'.repeat(8_000), title: 't' } };
    const supports = Array.from({ length: 600 }, () => ({
      groundingChunkIndices: [0],
      segment: { endIndex: 3 },
    }));
    const groundingMetadata = { groundingChunks: [chunk], groundingSupports: supports };
    const [choice] = findCodec('gemini-generate').decodeReply(
      ofGemini({ text: 'abc' }, { groundingMetadata }),
    ).choices;
    expect(choice?.blocks).toMatchObject([{ citations: { length: Math.floor((2 * 1024 * 1024) / 8_001) } }]);
  });
});

describe('a stream', () => {
  const chunk = (delta: JsonObject, beside: JsonObject = {}) =>
    `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, ...beside }] })}\n\n`;
  const convert = (...chunks: readonly string[]) => {
    const stream = new ConvertingStream(findCodec('openai-chat'), findCodec('openai-chat'), {
      model: 'm',
      includeUsage: false,
    });
    return { stream, text: stream.push(Buffer.from(chunks.join(''))).toString() + stream.end().toString() };
  };

  it.each<[string, string[]]>([
    ['name of a call', [chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: MEGABYTES } }] })]],
    ['signature', [chunk({ thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: MEGABYTES }] })]],
    ['detail', [chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: MEGABYTES }] })]],
    ['refusal', [chunk({ refusal: MEGABYTES }), chunk({}, { finish_reason: 'stop' })]],
  ])('fails whose %s is longer than any provider gives', (_, chunks) => {
    const { stream, text } = convert(...chunks);
    expect(stream.fault).toMatchObject({ error: { code: 'upstream_error' } });
    expect(text.length).toBeLessThan(10_000);
  });

  it('says no more than 4,096 characters of its failure', () => {
    const { stream } = convert(
      `data: ${JSON.stringify({ error: { message: MEGABYTES, type: MEGABYTES } })}\n\n`,
    );
    const said = MEGABYTES.slice(0, 4_096);
    expect(stream.fault).toEqual({ error: { message: said, type: said } });
  });

  it('takes time in proportion to the number of long ids', () => {
    const work = (count: number) => {
      for (let index = 0; index < count; index++) {
        const id = LONG + String(index).padStart(5, '0');
        queue.add({ index, id, function: { name: 'f' } });
      }
    };
    const queue = new CallQueue(new EventWriter(), 0, String);
    expect(measureGrowth(60, work)).toBeLessThan(24);
  });
});

it('classes failures by the beginnings of their type and code', () => {
  expect(readFaultClass({ error: { type: `rate_limit${MEGABYTES}` } })).toBe('limited');
  expect(readFaultClass({ error: { type: `${MEGABYTES}rate_limit` } })).toBeUndefined();
});

it('counts containers of long ids in a time in proportion to their number', () => {
  const count = (amount: number) => {
    const output = Array.from({ length: amount }, (_, at) => ({
      type: 'code_interpreter_call',
      container_id: LONG + String(at).padStart(5, '0'),
    }));
    return readResponseUsage({ usage: { input_tokens: 1, output_tokens: 1 }, output })?.codeSessions;
  };
  expect(count(3)).toBe(3);
  expect(measureGrowth(60, count)).toBeLessThan(24);
});
