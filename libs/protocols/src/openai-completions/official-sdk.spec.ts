import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { readGoldens, readJson, readText } from '../testing/read-goldens.js';
import { collectStream, decodeStream } from '../testing/read-stream.js';
import { codec as openaiCompletions } from './codec.js';

const REQUEST = { model: 'm', prompt: 'Hi' };

/** A client of the official package whose every call is answered with these bytes. */
function connect(body: string, type: string): OpenAI {
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  return new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch });
}

const STREAMS = readGoldens('stream.sse').map((golden) => {
  const encoder = openaiCompletions.createStreamEncoder({ model: 'm', includeUsage: true });
  const events = decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]);
  const blocks = collectStream(events).blocks.filter(({ choice }) => choice === 0);
  return {
    golden,
    text: events.map((event) => encoder.encode(event)).join(''),
    failed: events.at(-1)?.type === 'fault',
    said: blocks.map((block) => (block.type === 'text' ? String(block.text) : '')).join(''),
  };
});

async function read(text: string): Promise<{ said: string; ends: number }> {
  const stream = await connect(text, 'text/event-stream').completions.create({ ...REQUEST, stream: true });
  let said = '';
  let ends = 0;
  for await (const { object, choices } of stream) {
    expect(object).toBe('text_completion');
    for (const choice of choices) {
      if (choice.index === 0) said += choice.text;
      if (choice.finish_reason) ends++;
    }
  }
  return { said, ends };
}

describe('the official SDK', () => {
  it.each(STREAMS.filter(({ failed }) => !failed))(
    'reads a stream of $golden.codec.name: $golden.concept',
    async ({ text, said }) => {
      const answer = await read(text);
      expect(answer.ends).toBeGreaterThan(0);
      expect(said === '' ? '' : answer.said).toBe(said);
    },
  );

  it.each(STREAMS.filter(({ failed }) => failed))(
    'raises the failure of a stream of $golden.codec.name: $golden.concept',
    async ({ text }) => {
      await expect(read(text)).rejects.toThrow(/./);
    },
  );

  it.each(
    readGoldens('reply.json').filter(
      (golden) => readJson(golden, 'reply.canonical.json').choices !== undefined,
    ),
  )('reads a reply of $codec.name: $concept', async (golden) => {
    const reply = golden.codec.decodeReply(readJson(golden, 'reply.json'));
    const body = openaiCompletions.encodeReply(reply, { model: 'm', includeUsage: true });
    const answer = await connect(JSON.stringify(body), 'application/json').completions.create(REQUEST);
    expect(answer.choices).toHaveLength(reply.choices.length);
    expect(answer.choices[0]?.finish_reason).toMatch(/^(stop|length|content_filter)$/);
    expect(typeof answer.choices[0]?.text).toBe('string');
  });
});
