import { describe, expect, it, vi } from 'vitest';
import { TextOffsets } from '../canonical/text-offsets.js';
import type { JsonObject } from '../json.js';
import { type ClientProtocolName, findCodec, type ProtocolName } from './chat-protocols.js';
import { ConvertingStream } from './converting-stream.js';

/** Characters of JSON that are written in one go at most. */
const LONGEST_PIECE = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;
const BASE64 = 'QUJD'.repeat(500_000);

const sse = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`;

function ofChat(images: readonly string[], thoughts: readonly JsonObject[] = []): string {
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    sse({ id: 'x', choices: [{ index: 0, delta, finish_reason }] });
  const shown = images.map((data) =>
    chunk({ images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] }),
  );
  const thought = thoughts.map((block) => chunk({ thinking_blocks: [block] }));
  return [...thought, ...shown, chunk({ content: 'a' }), chunk({}, 'stop'), 'data: [DONE]\n\n'].join('');
}

function ofGemini(...parts: readonly JsonObject[]): string {
  const chunk = (part: JsonObject, beside: JsonObject = {}) =>
    sse({ candidates: [{ content: { role: 'model', parts: [part] }, ...beside }], responseId: 'r' });
  return [...parts.map((part) => chunk(part)), chunk({ text: 'a' }, { finishReason: 'STOP' })].join('');
}

function ofMessages(...blocks: readonly JsonObject[]): string {
  return [
    { type: 'message_start', message: { id: 'm' } },
    ...blocks.flatMap((content_block, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ]
    .map(sse)
    .join('');
}

const result = {
  type: 'web_search_tool_result',
  tool_use_id: 's',
  content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: BASE64 }],
};
const cited = sse({
  id: 'x',
  choices: [
    {
      index: 0,
      delta: {
        annotations: Array.from({ length: 3_000 }, (_, at) => ({
          type: 'url_citation',
          url_citation: { url: `http://${at}${'y'.repeat(400)}`, title: 't' },
        })),
      },
    },
  ],
});
const CITED = sse({ id: 'x', choices: [{ index: 0, delta: { content: 'abc' } }] }) + cited + ofChat([]);
const code = { executableCode: { language: 'PYTHON', code: BASE64 } };
const image = { inlineData: { mimeType: 'image/png', data: BASE64 } };
const small = Array.from({ length: 500 }, () => BASE64.slice(0, 4_000));
const thoughts = Array.from({ length: 20 }, (_, at) => ({
  type: 'thinking',
  thinking: BASE64.slice(0, 60_000),
  signature: `s${at}`,
}));

const open = (from: ProtocolName, to: ClientProtocolName) =>
  new ConvertingStream(findCodec(from), findCodec(to), {
    model: 'm',
    includeUsage: true,
    framing: 'json-array',
  });

async function convertInSteps(stream: string, reader: ConvertingStream): Promise<string> {
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  const bytes = Buffer.from(stream);
  const sent: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    sent.push(await reader.push(bytes.subarray(at, at + CHUNK_BYTES), pause));
  }
  sent.push(await reader.end(pause));
  return Buffer.concat(sent).toString();
}

/** Without what is made up at random or by the clock. */
const leaveOutMadeUp = (sent: string) =>
  sent.replaceAll(/"created(?:_at)?":\d+/g, '').replaceAll(/"(?:resp|msg|rs|ig|chatcmpl)[-_][\w-]+"/g, '');

describe("M5: files and items of a protocol's own in a stream are written in steps", () => {
  it.each<[string, ProtocolName, ClientProtocolName, string]>([
    ['images', 'openai-chat', 'openai-chat', ofChat([BASE64, BASE64])],
    ['images', 'openai-chat', 'openai-responses', ofChat([BASE64, BASE64])],
    ['images', 'openai-chat', 'anthropic-messages', ofChat([BASE64, BASE64])],
    ['images', 'openai-chat', 'gemini-generate', ofChat([BASE64, BASE64])],
    ['many images', 'openai-chat', 'openai-chat', ofChat(small)],
    ['many images', 'openai-chat', 'openai-responses', ofChat(small)],
    ['signed thoughts', 'openai-chat', 'openai-chat', ofChat([], thoughts)],
    ['images', 'gemini-generate', 'openai-chat', ofGemini(image)],
    ['images', 'gemini-generate', 'gemini-generate', ofGemini(image)],
    ['citations', 'openai-chat', 'openai-chat', CITED],
    ['citations', 'openai-chat', 'openai-responses', CITED],
    ['citations', 'openai-chat', 'gemini-generate', CITED],
    ['code', 'gemini-generate', 'gemini-generate', ofGemini(code)],
    ['results', 'anthropic-messages', 'anthropic-messages', ofMessages(result)],
  ])('%s of %s for %s', async (_, from, to, stream) => {
    const written = vi.spyOn(JSON, 'stringify');
    const sent = await convertInSteps(stream, open(from, to));
    const lengths = written.mock.results.map(
      ({ value }: { value: string | undefined }) => value?.length ?? 0,
    );
    written.mockRestore();
    expect(Math.max(...lengths)).toBeLessThan(LONGEST_PIECE);
    const reader = open(from, to);
    const atOnce = reader.push(Buffer.from(stream)).toString() + reader.end().toString();
    expect(leaveOutMadeUp(sent) === leaveOutMadeUp(atOnce)).toBe(true);
  });

  it('with a pause after each few of thousands', async () => {
    const images = Array.from({ length: 3_000 }, () => ({
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${BASE64.slice(0, 400)}` },
    }));
    const reader = open('openai-chat', 'openai-responses');
    const written = vi.spyOn(JSON, 'stringify');
    let most = 0;
    const pause = async () => {
      most = Math.max(most, written.mock.calls.length);
      written.mockClear();
    };
    const event = sse({ id: 'x', choices: [{ index: 0, delta: { images }, finish_reason: null }] });
    await reader.push(Buffer.from(event), pause);
    written.mockRestore();
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(400);
  });

  it('and so is what came side by side and leaves at the end', async () => {
    const tool_calls = Array.from({ length: 900 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: { name: 'f', arguments: JSON.stringify({ a: BASE64.slice(0, 4_000) }) },
    }));
    const reader = open('openai-chat', 'anthropic-messages');
    let most = 0;
    let since = 0;
    const written = vi.spyOn(JSON, 'stringify');
    const pause = async () => {
      const texts = written.mock.results.slice(since).map(({ value }) => String(value).length);
      since = written.mock.results.length;
      most = Math.max(
        most,
        texts.reduce((sum, length) => sum + length, 0),
      );
    };
    const event = sse({
      id: 'x',
      choices: [{ index: 0, delta: { tool_calls }, finish_reason: 'tool_calls' }],
    });
    written.mockClear();
    const sent = [await reader.push(Buffer.from(event), pause), await reader.end(pause)];
    written.mockRestore();
    expect(
      Buffer.concat(sent)
        .toString()
        .match(/"input_json_delta"/g),
    ).toHaveLength(900);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(LONGEST_PIECE);
  });

  it('and the places of thousands of citations are looked for in steps', async () => {
    const reader = open('openai-chat', 'gemini-generate');
    const looked = vi.spyOn(TextOffsets.prototype, 'placeOfPoint');
    let nowMs = 0;
    // Each look at the clock takes a millisecond.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
    let most = 0;
    const pause = async () => {
      most = Math.max(most, looked.mock.calls.length);
      looked.mockClear();
    };
    const sent = [await reader.push(Buffer.from(CITED), pause), await reader.end(pause)];
    clock.mockRestore();
    looked.mockRestore();
    expect(
      Buffer.concat(sent)
        .toString()
        .match(/"groundingChunkIndices"/g),
    ).toHaveLength(3_000);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(20);
  });
});
