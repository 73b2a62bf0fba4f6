import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Codec } from '../canonical/codec.js';
import { readGoldens, readJson, readText } from '../testing/read-goldens.js';
import { collectStream, decodeStream } from '../testing/read-stream.js';
import { codec as openaiChat } from './codec.js';

const messages = [{ role: 'user' as const, content: 'Hi' }];

/** A client of the official package whose every call is answered with these bytes. */
function connect(body: string, type: string): OpenAI {
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  return new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch });
}

/** A stream as clients of this protocol get it, and what it comes to. */
function convert(codec: Codec, stream: string) {
  const encoder = openaiChat.createStreamEncoder({ model: 'm', includeUsage: true });
  const events = decodeStream(codec, [Buffer.from(stream)]);
  const blocks = collectStream(events).blocks.filter(({ choice }) => choice === 0);
  return {
    text: events.map((event) => encoder.encode(event)).join(''),
    failed: events.at(-1)?.type === 'fault',
    content: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: blocks.filter(({ type }) => type === 'tool-call').length,
  };
}

describe('the official SDK', () => {
  const converted = readGoldens('stream.sse')
    .filter(({ concept }) => !concept.includes('plain'))
    .map((golden) => ({ golden, ...convert(golden.codec, readText(golden, 'stream.sse')) }));

  it.each(converted.filter(({ failed }) => !failed))(
    'puts together a stream of $golden.codec.name: $golden.concept',
    async ({ text, content, calls }) => {
      const stream = connect(text, 'text/event-stream').chat.completions.stream({ model: 'm', messages });
      const { choices, usage } = await stream.finalChatCompletion();
      expect(choices[0]?.message.content ?? '').toBe(content);
      expect(choices[0]?.message.tool_calls?.length ?? 0).toBe(calls);
      expect(usage === undefined || usage === null || usage.total_tokens > 0).toBe(true);
    },
  );

  it.each(converted.filter(({ failed }) => failed))(
    'raises the failure of a stream of $golden.codec.name: $golden.concept',
    async ({ text }) => {
      const stream = connect(text, 'text/event-stream').chat.completions.stream({ model: 'm', messages });
      await expect(stream.finalChatCompletion()).rejects.toThrow(/./);
    },
  );

  it.each(
    readGoldens('reply.json').filter(
      (golden) => readJson(golden, 'reply.canonical.json').choices !== undefined,
    ),
  )('reads a reply of $codec.name: $concept', async (golden) => {
    const reply = golden.codec.decodeReply(readJson(golden, 'reply.json'));
    const body = openaiChat.encodeReply(reply, { model: 'm', includeUsage: true });
    const client = connect(JSON.stringify(body), 'application/json');
    const read = await client.chat.completions.create({ model: 'm', messages });
    expect(read.choices).toHaveLength(reply.choices.length);
    expect(read.choices[0]?.finish_reason).toMatch(/^(stop|length|tool_calls|content_filter)$/);
  });
});
