import { readdirSync, readFileSync } from 'node:fs';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Codec } from '../canonical/codec.js';
import { CODECS } from '../testing/read-goldens.js';
import { decodeStream } from '../testing/read-stream.js';
import { openaiResponses } from './codec.js';

/** A client of the official package whose every call is answered with these bytes. */
function connect(body: string, type: string): OpenAI {
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
  return new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', maxRetries: 0, fetch });
}

function encodeStream(codec: Codec, stream: Buffer): { text: string; failed: boolean } {
  const encoder = openaiResponses.createStreamEncoder({ model: 'm', includeUsage: true });
  const events = decodeStream(codec, [stream]);
  const text = events.map((event) => encoder.encode(event)).join('');
  return { text, failed: events.at(-1)?.type === 'fault' };
}

/** Status and output of the response that the last event holds. */
function readLast(text: string): { readonly status: string; readonly output: readonly unknown[] } {
  const [last = ''] = text.trim().split('\n\n').slice(-1);
  const { response } = JSON.parse(last.slice(last.indexOf('{'))) as {
    response: { status: string; output: unknown[] };
  };
  return { status: response.status, output: response.output };
}

function listGoldens(codec: Codec, file: string): [string, Buffer][] {
  const root = new URL(`../${codec.name}/__golden__/`, import.meta.url);
  return readdirSync(root).flatMap((concept) => {
    const folder = new URL(`${concept}/`, root);
    return readdirSync(folder).includes(file) ? [[concept, readFileSync(new URL(file, folder))]] : [];
  });
}

describe('the official SDK', () => {
  for (const codec of CODECS) {
    it.each(listGoldens(codec, 'stream.sse'))(
      `accumulates a stream of ${codec.name}: %s`,
      async (_, stream) => {
        const { text, failed } = encodeStream(codec, stream);
        const runner = connect(text, 'text/event-stream').responses.stream({ model: 'm', input: 'x' });
        const outcome = await runner.finalResponse().then(
          ({ status, output, usage }) => ({ status, output, counted: usage?.total_tokens !== undefined }),
          (error: unknown) => ({ failed: error instanceof OpenAI.APIError }),
        );
        expect(outcome).toMatchObject(failed ? { failed: true } : { ...readLast(text), counted: true });
      },
    );
  }

  it.each(listGoldens(openaiResponses, 'reply.canonical.json'))(
    'reads a whole response: %s',
    async (_, file) => {
      const reply = JSON.parse(file.toString()) as Parameters<Codec['encodeReply']>[0] & {
        refused?: unknown;
      };
      if (reply.refused) return;
      const body = openaiResponses.encodeReply(reply, { model: 'm', includeUsage: true });
      const response = await connect(JSON.stringify(body), 'application/json').responses.create({
        model: 'm',
        input: 'x',
      });
      const texts = reply.choices[0]?.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      expect(response.output_text).toBe(texts?.join(''));
    },
  );
});
