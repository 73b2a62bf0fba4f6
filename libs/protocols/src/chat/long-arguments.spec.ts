import { describe, expect, it, vi } from 'vitest';
import type { ReplyContext } from '../canonical/codec.js';
import type { ToolOrigin } from '../canonical/tool-origin.js';
import type { JsonObject } from '../json.js';
import { readCpuMs } from '../testing/cpu-time.js';
import { findCodec, type ProtocolName } from './chat-protocols.js';
import { ConvertingStream } from './converting-stream.js';

const CHUNK_BYTES = 64 * 1024;
const PIECE_CHARACTERS = 10_000;
/** Of all the work with a stream, what its longest step may have: it was 50 to 88 %, and is 5 to 15 %. */
const LONGEST_SHARE = 0.4;
const TRIES = 6;
/** Characters of JSON that are written in one go at most. */
const LONGEST_PIECE = 256 * 1024;

/** As long as arguments that are parsed may be. */
const OBJECTS = JSON.stringify({ rows: Array.from({ length: 130_000 }, (_, at) => ({ a: at % 10 })) }).slice(
  0,
  -2,
);
const ROWS = `${OBJECTS.slice(0, 1_040_000).replace(/,[^,]*$/, '')}]}`;

const sse = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`;

function cut(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE_CHARACTERS) }, (_, at) =>
    text.slice(at * PIECE_CHARACTERS, (at + 1) * PIECE_CHARACTERS),
  );
}

/** A call as a chat's stream has it: in pieces. @param last comes with the end of the answer. */
function ofChat(text: string, last: JsonObject = {}): Buffer {
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    sse({ id: 'x', choices: [{ index: 0, delta, finish_reason }] });
  const call = (fields: JsonObject) => chunk({ tool_calls: [{ index: 0, ...fields }] });
  return Buffer.from(
    [
      call({ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }),
      ...cut(text).map((json) => call({ function: { arguments: json } })),
      chunk(last, 'tool_calls'),
      'data: [DONE]\n\n',
    ].join(''),
  );
}

/** A call as a look-alike of Anthropic's has it: whole, in one event. */
function ofMessages(text: string): Buffer {
  return Buffer.from(
    [
      { type: 'message_start', message: { id: 'm' } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'f', input: JSON.parse(text) as JsonObject },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]
      .map(sse)
      .join(''),
  );
}

const STREAMS = { 'openai-chat': ofChat, 'anthropic-messages': ofMessages } as const;
type Upstream = keyof typeof STREAMS;

const context = (kind: ToolOrigin['kind'] = 'function'): ReplyContext => ({
  model: 'm',
  includeUsage: true,
  framing: 'json-array',
  toolOrigins: new Map([['f', { kind, name: 'f' }]]),
});

function open(from: Upstream, to: ProtocolName, kind?: ToolOrigin['kind']): ConvertingStream {
  return new ConvertingStream(findCodec(from), findCodec(to), context(kind));
}

/** What the client gets, its events in one piece, with the shares that steps had of the work. */
async function convert(stream: Buffer, reader: ConvertingStream) {
  const steps: number[] = [];
  let last = readCpuMs();
  const pause = async () => {
    steps.push(readCpuMs() - last);
    await new Promise((resolve) => setImmediate(resolve));
    last = readCpuMs();
  };
  const sent: Buffer[] = [];
  for (let at = 0; at < stream.length; at += CHUNK_BYTES) {
    sent.push(await reader.push(stream.subarray(at, at + CHUNK_BYTES), pause));
    await pause();
  }
  sent.push(await reader.end(pause));
  const share = Math.max(...steps) / steps.reduce((sum, step) => sum + step, 0);
  return { sent: Buffer.concat(sent).toString(), share };
}

/** The events of a stream of Responses but for pieces of arguments, and those joined. */
function joinDeltas(sent: string): readonly unknown[] {
  const events = sent
    .split('\n\n')
    .flatMap((frame) => frame.split('data: ')[1] ?? [])
    .map((data) => JSON.parse(data) as JsonObject);
  const isPiece = ({ type }: JsonObject) => type === 'response.function_call_arguments.delta';
  const rest = events.filter((event) => !isPiece(event));
  const pieces = events.filter(isPiece).map(({ delta }) => delta);
  return [...rest.map((event) => ({ ...event, sequence_number: 0, response: undefined })), pieces.join('')];
}

describe('M5: a megabyte of arguments in a stream is converted in steps', () => {
  it.each<[Upstream, ProtocolName, ToolOrigin['kind']]>([
    ['openai-chat', 'gemini-generate', 'function'],
    ['anthropic-messages', 'gemini-generate', 'function'],
    ['openai-chat', 'openai-responses', 'function'],
    ['openai-chat', 'openai-responses', 'custom'],
    ['openai-chat', 'openai-responses', 'tool-search'],
  ])('of %s for %s (%s)', async (from, to, kind) => {
    const stream = STREAMS[from](ROWS);
    let share = 1;
    for (let attempt = 0; attempt < TRIES && share >= LONGEST_SHARE; attempt++) {
      share = (await convert(stream, open(from, to, kind))).share;
    }
    expect(share).toBeLessThan(LONGEST_SHARE);
  });

  it.each([
    ['whole', ROWS],
    ['cut off', ROWS.slice(0, -1)],
    ['no object', `${'a'.repeat(70_000)}}`],
    ['free text', JSON.stringify({ input: 'b'.repeat(70_000) })],
    ['free text among others', JSON.stringify({ why: 'a', input: 'b'.repeat(70_000) })],
    ['longer than is parsed', JSON.stringify({ input: 'b'.repeat(1_100_000), more: 1 })],
  ])('and comes out as it would at once: %s', async (_, text) => {
    const stream = ofChat(text);
    const google = await convert(stream, open('openai-chat', 'gemini-generate'));
    expect(google.sent === open('openai-chat', 'gemini-generate').push(stream).toString()).toBe(true);
    for (const kind of ['function', 'custom', 'tool-search'] as const) {
      const responses = await convert(stream, open('openai-chat', 'openai-responses', kind));
      const atOnce = open('openai-chat', 'openai-responses', kind).push(stream).toString();
      expect(joinDeltas(responses.sent)).toEqual(joinDeltas(atOnce));
      expect(responses.sent.length).toBe(atOnce.length);
    }
  });

  it('as does a refusal after it, whose message is added before it is written', async () => {
    const stream = ofChat(JSON.stringify({ a: 'b'.repeat(70_000) }), { refusal: 'No.' });
    const { sent } = await convert(stream, open('openai-chat', 'openai-responses'));
    const atOnce = open('openai-chat', 'openai-responses').push(stream).toString();
    expect(joinDeltas(sent)).toEqual(joinDeltas(atOnce));
    expect(sent).toContain('"part":{"type":"refusal","refusal":""}');
  });

  it('nor is a message written in one go where a call ends it', async () => {
    const chunk = (delta: JsonObject) => Buffer.from(sse({ id: 'x', choices: [{ index: 0, delta }] }));
    const call = { index: 0, id: 'c', function: { name: 'f', arguments: '{}' } };
    const reader = open('openai-chat', 'openai-responses');
    const pause = () => Promise.resolve();
    for (const content of cut('a'.repeat(300_000))) await reader.push(chunk({ content }), pause);
    const written = vi.spyOn(JSON, 'stringify');
    await reader.push(chunk({ tool_calls: [call] }), pause);
    const longest = Math.max(...written.mock.results.map(({ value }) => String(value).length));
    written.mockRestore();
    expect(longest).toBeLessThan(LONGEST_PIECE);
  });
});
