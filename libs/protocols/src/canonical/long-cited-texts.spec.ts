import { describe, expect, it, vi } from 'vitest';
import { findCodec, type ProtocolName } from '../chat/chat-protocols.js';
import { ConvertingStream } from '../chat/converting-stream.js';
import type { JsonObject } from '../json.js';
import { CodePointCounter } from './code-points.js';
import { limitCitations } from './limit-citations.js';

const MOST_CHARACTERS = 512 * 1024;
const EMOJI = '\u{1F600}';
const URL = 'https://example.com/';
const context = { model: 'm', includeUsage: true };
const goOn = () => Promise.resolve();

/** Google counts bytes; the others count code points, or nothing. */
const googleCites = (text: string): JsonObject => ({
  groundingChunks: [{ web: { uri: URL, title: 't' } }],
  groundingSupports: [
    { groundingChunkIndices: [0], segment: { startIndex: 4, endIndex: Buffer.byteLength(text) } },
  ],
});
const chatCites = [
  { type: 'url_citation', url_citation: { url: URL, title: 't', start_index: 1, end_index: 2 } },
];

const WHOLE: readonly (readonly [ProtocolName, (text: string) => JsonObject])[] = [
  [
    'openai-chat',
    (text) => ({ choices: [{ message: { content: text, annotations: chatCites }, finish_reason: 'stop' }] }),
  ],
  [
    'gemini-generate',
    (text) => ({ candidates: [{ content: { parts: [{ text }] }, groundingMetadata: googleCites(text) }] }),
  ],
];

const EVENTS: readonly (readonly [ProtocolName, (text: string) => readonly JsonObject[]])[] = [
  [
    'openai-chat',
    (text) => [
      { choices: [{ delta: { content: text } }] },
      { choices: [{ delta: { annotations: chatCites } }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
    ],
  ],
  [
    'gemini-generate',
    (text) => [
      { candidates: [{ content: { parts: [{ text }] } }] },
      {
        candidates: [{ content: { parts: [] }, groundingMetadata: googleCites(text), finishReason: 'STOP' }],
      },
    ],
  ],
];

async function convert(
  events: readonly JsonObject[],
  upstream: ProtocolName,
  client: ProtocolName,
  pause = goOn,
): Promise<string> {
  const stream = new ConvertingStream(findCodec(upstream), findCodec(client), context);
  const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const written: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) {
    written.push(await stream.push(bytes.subarray(at, at + 65_536), pause));
  }
  written.push(await stream.end(pause));
  return Buffer.concat(written).toString();
}

describe('T25: places of citations in a text of a million emoji are not counted in one step', () => {
  it.each(WHOLE)('of a whole answer of %s, which goes on without them', (protocol, write) => {
    const citationsOf = (text: string) =>
      limitCitations(findCodec(protocol).decodeReply(write(text))).choices.map(({ blocks }) =>
        blocks.map((block) => (block.type === 'text' ? [block.text === text, block.citations?.length] : [])),
      );
    expect(citationsOf(EMOJI.repeat(MOST_CHARACTERS / 2))).toEqual([[[true, 1]]]);
    expect(citationsOf(`${EMOJI.repeat(MOST_CHARACTERS / 2)}a`)).toEqual([[[true, undefined]]]);
  });

  it.each(
    EVENTS.flatMap(([upstream, write]) =>
      (['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const).map(
        (client) => [upstream, client, write] as const,
      ),
    ),
  )('of a stream of %s for %s', async (upstream, client, write) => {
    const cites = async (text: string) => (await convert(write(text), upstream, client)).includes(URL);
    expect(await cites(EMOJI.repeat(1_000))).toBe(true);
    expect(await cites(EMOJI.repeat(MOST_CHARACTERS / 2 + 1))).toBe(false);
  });
});

it('T25: places of thousands of citations at the end of a stream of Google are looked for in steps', async () => {
  const CITATIONS = 1_900;
  const groundingSupports = Array.from({ length: CITATIONS }, (_, at) => ({
    segment: { startIndex: 3 * at, endIndex: 3 * at + 27 },
    groundingChunkIndices: [0],
  }));
  const groundingMetadata = { groundingChunks: [{ web: { uri: URL } }], groundingSupports };
  const events = [
    { candidates: [{ content: { parts: [{ text: '漢'.repeat(6_000) }] } }] },
    { candidates: [{ content: { parts: [] }, groundingMetadata, finishReason: 'STOP' }] },
  ];
  let nowMs = performance.now();
  // Each look at the clock takes a millisecond.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
  let pauses = 0;
  const answer = await convert(events, 'gemini-generate', 'openai-chat', async () => void pauses++);
  clock.mockRestore();
  expect(answer.match(/"url_citation":/g)).toHaveLength(CITATIONS);
  expect(pauses).toBeGreaterThan(CITATIONS / 4);
});

it('T25: a message that ends where a thought begins is given once more in steps', async () => {
  const events = [
    { choices: [{ delta: { content: 'a'.repeat(MOST_CHARACTERS) } }] },
    { choices: [{ delta: { reasoning_content: 'b' } }] },
  ];
  const written = vi.spyOn(JSON, 'stringify');
  const answer = await convert(events, 'openai-chat', 'openai-responses');
  // The first two are the upstream's own.
  const longest = Math.max(...written.mock.results.slice(2).map(({ value }) => String(value).length));
  written.mockRestore();
  expect(answer.match(new RegExp(`"text":"a{${MOST_CHARACTERS}}"`, 'g'))).toHaveLength(3);
  expect(longest).toBeLessThan(256 * 1024);
});

it('M5: for clients of the Responses API nothing is counted of texts in which nothing is cited', () => {
  const count = vi.spyOn(CodePointCounter.prototype, 'add');
  const encode = (beside: JsonObject) => {
    const message = { content: EMOJI.repeat(1_000), ...beside };
    const reply = findCodec('openai-chat').decodeReply({ choices: [{ message, finish_reason: 'stop' }] });
    return JSON.stringify(findCodec('openai-responses').encodeReply(reply, context));
  };
  encode({});
  expect(count).not.toHaveBeenCalled();
  const cited = { type: 'url_citation', url_citation: { url: URL, title: 't' } };
  expect(encode({ annotations: [cited, cited] })).toContain('"end_index":1000');
  expect(count.mock.calls.map(([text]) => text.length)).toEqual([2_000, 0]);
  count.mockRestore();
});
