import Anthropic from '@anthropic-ai/sdk';
import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Codec } from './canonical/codec.js';
import { findCodec } from './chat/chat-protocols.js';
import { readGoldens, readJson, readText } from './testing/read-goldens.js';
import { decodeStream } from './testing/read-stream.js';
import { readEvents, readReply, type ReadAnswer } from './testing/read-answer.js';

/** What an official package makes of an answer. */
interface Read {
  readonly text: string;
  /** How many functions it wants to be called. */
  readonly calls: number;
}

/** An official package. Those of OpenAI's chat and text completions have specs of their own. */
interface Sdk {
  readonly codec: Codec;
  readWhole(): Promise<Read>;
  readStream(): Promise<Read>;
}

const OPTIONS = { apiKey: 'k', baseURL: 'http://gateway.test', maxRetries: 0 };
const MESSAGE = { role: 'user' as const, content: 'Hi' };
const ASK_CLAUDE = { model: 'm', max_tokens: 64, messages: [MESSAGE] };
const ASK_GEMINI = { model: 'm', contents: 'Hi' };
const ASK_OPENAI = { model: 'm', input: 'Hi' };

function readMessage({ content }: Anthropic.Message): Read {
  const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
  return { text: texts.join(''), calls: content.filter(({ type }) => type === 'tool_use').length };
}

function readResponse({ output }: OpenAI.Responses.Response): Read {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
  const texts = parts.map((part) => (part.type === 'output_text' ? part.text : part.refusal));
  return { text: texts.join(''), calls: output.filter(({ type }) => type === 'function_call').length };
}

function readCandidate({ candidates }: GenerateContentResponse): Read {
  const parts = candidates?.find(({ index = 0 }) => index === 0)?.content?.parts ?? [];
  const texts = parts.map(({ text, thought }) => (thought ? '' : (text ?? '')));
  return { text: texts.join(''), calls: parts.filter(({ functionCall }) => functionCall).length };
}

const google = () => new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: OPTIONS.baseURL } }).models;

const SDKS: readonly Sdk[] = [
  {
    codec: findCodec('anthropic-messages'),
    readWhole: async () => readMessage(await new Anthropic(OPTIONS).messages.create(ASK_CLAUDE)),
    readStream: async () =>
      readMessage(await new Anthropic(OPTIONS).messages.stream(ASK_CLAUDE).finalMessage()),
  },
  {
    codec: findCodec('openai-responses'),
    readWhole: async () => readResponse(await new OpenAI(OPTIONS).responses.create(ASK_OPENAI)),
    readStream: async () =>
      readResponse(await new OpenAI(OPTIONS).responses.stream(ASK_OPENAI).finalResponse()),
  },
  {
    codec: findCodec('gemini-generate'),
    readWhole: async () => readCandidate(await google().generateContent(ASK_GEMINI)),
    readStream: async () => {
      const all: Read[] = [];
      for await (const chunk of await google().generateContentStream(ASK_GEMINI))
        all.push(readCandidate(chunk));
      return {
        text: all.map(({ text }) => text).join(''),
        calls: all.reduce((sum, { calls }) => sum + calls, 0),
      };
    },
  },
];

/** Every request of this process is answered with these bytes. */
function answer(body: string, type: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { headers: { 'content-type': type } })));
}

function expectRead(read: Read, { choices }: ReadAnswer): void {
  // An image is a link within the text where a protocol has no other place for it.
  expect(read.text).toContain(choices[0]?.text ?? '');
  expect(read.calls).toBeGreaterThanOrEqual(choices[0]?.calls.length ?? 0);
}

const CONTEXT = { model: 'm', includeUsage: true } as const;
const REPLIES = readGoldens('reply.json').filter(
  (golden) => readJson(golden, 'reply.canonical.json').refused === undefined,
);

describe.each(SDKS)('the official SDK of $codec.name', ({ codec, readWhole, readStream }) => {
  afterEach(() => void vi.unstubAllGlobals());

  for (const golden of REPLIES) {
    it(`reads an answer of ${golden.codec.name}: ${golden.concept}`, async () => {
      const reply = golden.codec.decodeReply(readJson(golden, 'reply.json'));
      answer(JSON.stringify(codec.encodeReply(reply, CONTEXT)), 'application/json');
      expectRead(await readWhole(), readReply(reply));
    });
  }

  for (const golden of readGoldens('stream.sse')) {
    it(`reads a stream of ${golden.codec.name}: ${golden.concept}`, async () => {
      const events = decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]);
      const encoder = codec.createStreamEncoder(CONTEXT);
      answer(events.map((event) => encoder.encode(event)).join(''), 'text/event-stream');
      const expected = readEvents(events);
      const [read] = await Promise.allSettled([readStream()]);
      expect(read.status).toBe(expected.fault === undefined ? 'fulfilled' : 'rejected');
      if (read.status === 'fulfilled') expectRead(read.value, expected);
    });
  }
});
