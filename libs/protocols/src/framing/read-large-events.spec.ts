import { describe, expect, it } from 'vitest';
import { joinPieces } from '../canonical/text-pieces.js';
import { findChatProtocol } from '../chat/chat-protocols.js';
import type { StreamReader } from '../chat/chat-protocol.js';
import { ConvertingStream } from '../chat/converting-stream.js';
import { StreamTap } from './stream-tap.js';

const CHUNK_BYTES = 60_000;
const LONG = 1_500_000;

const write = (content: string, lineEnd = '\n') =>
  [
    `data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"a"}}]}`,
    `data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{"content":${content}}}]}`,
    ': a comment',
    `data: {"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
    `data: {"id":"c","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`,
    'data: [DONE]',
    '',
  ].join(`${lineEnd}${lineEnd}`);

const CONTENTS = {
  letters: JSON.stringify('a'.repeat(LONG)),
  'other characters': JSON.stringify('漢\n😀'.repeat(LONG / 10)),
  words: JSON.stringify('"error" and \n\n'.repeat(LONG / 20)),
  'no text': `[${'{"a":[1,2.5]},'.repeat(LONG / 20)}1]`,
};

/** What a reader forwards and says, and in how many steps it was read. */
async function read(reader: StreamReader, text: string, inSteps: boolean) {
  const bytes = Buffer.from(text);
  const forwarded: Buffer[] = [];
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    forwarded.push(inSteps ? await reader.push(chunk, pause) : reader.push(chunk));
  }
  forwarded.push(inSteps ? await reader.end(pause) : reader.end());
  const { usage, fault, ended, done } = reader;
  return {
    text: Buffer.concat(forwarded).toString(),
    usage,
    fault,
    ended,
    done,
    read: joinPieces(reader.readText()),
    pauses,
  };
}

const chat = findChatProtocol('openai-chat');
const messages = findChatProtocol('anthropic-messages');
const gemini = findChatProtocol('gemini-generate');
const CONTEXT = {
  model: 'm',
  includeUsage: true,
  showReasoning: true,
  functionCalls: false,
  framing: 'sse',
} as const;

const READERS: Readonly<Record<string, () => StreamReader>> = {
  'as it is': () => chat.createTap({ withholdUsage: false, framing: 'sse' }),
  'as it is, without usage': () => chat.createTap({ withholdUsage: true, framing: 'sse' }),
  'as a list of JSON': () => gemini.createTap({ withholdUsage: false, framing: 'json-array' }),
  converted: () => new ConvertingStream(chat.codec, messages.codec, CONTEXT),
};

/** Text that a converted stream sends in pieces is the same text in one piece. */
function joinTexts(text: string): string {
  const texts = [...text.matchAll(/"text_delta","text":("(?:[^"\\]|\\.)*")/g)];
  return texts.length === 0 ? text : texts.map(([, quoted]) => JSON.parse(quoted ?? '""') as string).join('');
}

describe.each(Object.entries(READERS))('M5: a stream with a large event that goes on %s', (_, create) => {
  it.each(Object.entries(CONTENTS))('is read in steps as it would be at once: %s', async (_name, content) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const text = write(content, lineEnd);
      const { pauses: none, ...atOnce } = await read(create(), text, false);
      const { pauses, ...inSteps } = await read(create(), text, true);
      expect(joinTexts(inSteps.text) === joinTexts(atOnce.text)).toBe(true);
      expect({ ...inSteps, text: '' }).toEqual({ ...atOnce, text: '' });
      expect(none).toBe(0);
      expect(pauses).toBeGreaterThan(4);
    }
  });
});

describe('M5: a large event', () => {
  it('that never ends is read in steps too', async () => {
    const text = write(CONTENTS.letters).slice(0, LONG);
    const { fault, ended } = await read(
      new ConvertingStream(chat.codec, messages.codec, CONTEXT),
      text,
      true,
    );
    expect(fault).toBeDefined();
    expect(ended).toBe(false);
  });

  it('in which nothing is looked for goes on unread', async () => {
    const tap = new StreamTap({
      mayMatter: (block) => block.includes('usage'),
      readUsage: () => undefined,
      readFault: () => undefined,
      isEnd: () => false,
    });
    const text = `data: ${CONTENTS.letters}\n\n`;
    expect((await read(tap, text, true)).text === text).toBe(true);
  });

  it('is refused once a converted answer is longer than any model gives', async () => {
    const half = JSON.stringify('a'.repeat(2_500_000));
    const converted = new ConvertingStream(chat.codec, messages.codec, CONTEXT);
    expect((await read(converted, write(half), true)).fault).toBeUndefined();
    const events = [half, half].map((content) => write(content).split('\n\n')[1]).join('\n\n');
    const tooLong = new ConvertingStream(chat.codec, messages.codec, CONTEXT);
    expect((await read(tooLong, `${events}\n\n`, true)).fault).toBeDefined();
  });

  it('of blank lines and comments is no event each', async () => {
    const tap = () => chat.createTap({ withholdUsage: true, framing: 'sse' });
    const text = `${'\n'.repeat(1_000)}${': a\n\n'.repeat(100)}${write('"b"')}`;
    expect((await read(tap(), text, true)).text).toBe((await read(tap(), text, false)).text);
  });
});
