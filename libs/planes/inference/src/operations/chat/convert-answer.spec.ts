import {
  ANSWER_SHAPE,
  findChatProtocol,
  findUpstreamProtocol,
  type JsonObject,
  JsonShape,
  type ReplyContext,
} from '@mg/protocols';
import { callLocally } from '@mg/transport';
import { describe, expect, it, vi } from 'vitest';
import { receiveJson } from '../../call/read-body.js';
import { convertAnswer } from './convert-answer.js';

/** Characters of JSON that are read or written in one go at most: it takes two milliseconds. */
const LONGEST_PIECE = 256 * 1024;
type Kind = 'function' | 'custom' | 'tool-search';

const UPSTREAM = findUpstreamProtocol('anthropic-messages');

function answerWith(rows: number): Buffer {
  const input = { rows: Array.from({ length: rows }, (_, at) => ({ a: at % 10 })) };
  const content = [{ type: 'tool_use', id: 't', name: 'f', input }];
  return Buffer.from(JSON.stringify({ id: 'msg_1', type: 'message', content, stop_reason: 'tool_use' }));
}

const context = (kind: Kind): ReplyContext => ({
  model: 'm',
  includeUsage: true,
  toolOrigins: new Map([['f', { kind, name: 'f' }]]),
});
const client = findChatProtocol('openai-responses');

const convert = async (answer: Buffer, kind: Kind): Promise<Buffer> =>
  convertAnswer(...(await receive(answer)), {
    upstream: UPSTREAM,
    client,
    context: context(kind),
    stops: [],
  });

/** An answer as it comes from an upstream. */
async function receive(answer: Buffer): Promise<[Buffer, JsonObject]> {
  const { reply } = callLocally(() => ({
    status: 200,
    headers: {},
    chunks: (async function* () {
      for (let at = 0; at < answer.length; at += 65_536) yield answer.subarray(at, at + 65_536);
    })(),
  }));
  const shape = new JsonShape(ANSWER_SHAPE);
  const { bytes, parsed = {} } = await (
    await receiveJson(await reply, 32_000_000, () => undefined, shape)
  ).read();
  return [bytes, parsed];
}

/** The longest JSON that is read or written in one go meanwhile. */
async function measurePieces(work: () => Promise<unknown>): Promise<number> {
  const read = vi.spyOn(JSON, 'parse');
  const written = vi.spyOn(JSON, 'stringify');
  await work();
  const texts = [...read.mock.calls.map(([text]) => text), ...written.mock.results.map(({ value }) => value)];
  read.mockRestore();
  written.mockRestore();
  return Math.max(...texts.map((text: string | undefined) => text?.length ?? 0));
}

describe('M5: an answer with long arguments is converted in steps', () => {
  it.each<[Kind, number]>([
    ['function', 60_000],
    ['custom', 130_000],
    ['tool-search', 130_000],
  ])('for a client of the Responses API: %s', async (kind, rows) => {
    const answer = answerWith(rows);
    const longest = await measurePieces(() => convert(answer, kind));
    expect(longest).toBeLessThan(LONGEST_PIECE);
  });

  it.each<[Kind]>([['function'], ['custom'], ['tool-search']])(
    'and comes out as it would at once: %s',
    async (kind) => {
      const answer = answerWith(10_000);
      const reply = UPSTREAM.codec.decodeReply(JSON.parse(answer.toString()) as JsonObject);
      const expected = client.codec.encodeReply(reply, context(kind));
      const { output, status } = JSON.parse((await convert(answer, kind)).toString()) as JsonObject;
      expect({ output, status }).toEqual({ output: expected.output, status: expected.status });
    },
  );
});

const TOKENS = 4_096;

function repeat<T>(count: number, write: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => write(at));
}

const likeliest = (at: number) => repeat(20, (index) => ` t${(at * 7 + index) % 5_000}`);
const ofGemini = (token: string) => ({ token, logProbability: -0.5 });

/** Answers with the likeliest tokens in the place of each. */
const LIKELIHOODS = {
  'openai-completions': () => {
    const top_logprobs = repeat(TOKENS, (at) =>
      Object.fromEntries(likeliest(at).map((token) => [token, -0.5])),
    );
    const logprobs = {
      tokens: repeat(TOKENS, () => ' t'),
      token_logprobs: repeat(TOKENS, () => -0.5),
      top_logprobs,
    };
    return { choices: [{ index: 0, text: 'a', logprobs, finish_reason: 'stop' }] };
  },
  'gemini-generate': () => {
    const topCandidates = repeat(TOKENS, (at) => ({ candidates: likeliest(at).map(ofGemini) }));
    const logprobsResult = { topCandidates, chosenCandidates: repeat(TOKENS, () => ofGemini(' t')) };
    return { candidates: [{ content: { parts: [{ text: 'a' }] }, logprobsResult, finishReason: 'STOP' }] };
  },
} as const;
const LIKELIHOOD_PAIRS = [
  ['openai-completions', 'gemini-generate'],
  ['gemini-generate', 'openai-completions'],
] as const;

/** Processor time of this thread, in milliseconds. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Processor time of each turn of the event loop that some work takes, in milliseconds. */
async function measureTurns(work: () => Promise<unknown>): Promise<readonly number[]> {
  const turns: number[] = [];
  const real = globalThis.setImmediate;
  let sinceMs = readCpuMs();
  const waiting = vi.spyOn(globalThis, 'setImmediate').mockImplementation(((resume: () => void) => {
    turns.push(readCpuMs() - sinceMs);
    return real(() => {
      sinceMs = readCpuMs();
      resume();
    });
  }) as typeof setImmediate);
  await work();
  waiting.mockRestore();
  return [...turns, readCpuMs() - sinceMs];
}

describe('M5: likelihoods of an answer are converted in steps', () => {
  it.each(LIKELIHOOD_PAIRS)('from %s to %s', async (from, to) => {
    const [upstream, asked] = [findUpstreamProtocol(from), findChatProtocol(to)];
    const conversion = { upstream, client: asked, context: { model: 'm', includeUsage: true }, stops: [] };
    const answer = Buffer.from(JSON.stringify(LIKELIHOODS[from]()));
    const converted = await convertAnswer(...(await receive(answer)), conversion);
    const reply = upstream.codec.decodeReply(JSON.parse(answer.toString()) as JsonObject);
    const atOnce = JSON.stringify(asked.codec.encodeReply(reply, conversion.context));
    expect(converted.length).toBe(Buffer.byteLength(atOnce));
    const shares: number[] = [];
    while (shares.length < 3) {
      const [bytes, parsed] = await receive(answer);
      const turns = await measureTurns(() => convertAnswer(bytes, parsed, conversion));
      shares.push(Math.max(...turns) / turns.reduce((sum, ms) => sum + ms, 0));
    }
    // The garbage collector may have its own work in one of them.
    expect(Math.min(...shares)).toBeLessThan(1 / 4);
  });
});

describe('M5: thousands of citations of an answer', () => {
  const CITATIONS = 1_900;
  const text = '漢'.repeat(100_000);
  const annotations = repeat(CITATIONS, (at) => ({
    type: 'url_citation',
    url_citation: { url: `https://a.example/${at}`, start_index: at, end_index: at + 9 },
  }));
  const groundingMetadata = {
    groundingChunks: [{ web: { uri: 'https://a.example/' } }],
    groundingSupports: repeat(CITATIONS, (at) => ({
      segment: { startIndex: 3 * at, endIndex: 3 * at + 27 },
      groundingChunkIndices: [0],
    })),
  };

  it.each([
    [
      'openai-chat',
      'gemini-generate',
      { choices: [{ index: 0, message: { content: text, annotations }, finish_reason: 'stop' }] },
      /"groundingChunkIndices"/g,
    ],
    [
      'gemini-generate',
      'openai-chat',
      { candidates: [{ content: { parts: [{ text }] }, groundingMetadata, finishReason: 'STOP' }] },
      /"url_citation":/g,
    ],
  ] as const)('have their places looked for in turns: from %s to %s', async (from, to, body, written) => {
    const answer = Buffer.from(JSON.stringify(body));
    const [bytes, parsed] = await receive(answer);
    const turns = vi.spyOn(globalThis, 'setImmediate');
    let nowMs = performance.now();
    // Each look at the clock takes a millisecond.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs++);
    const converted = await convertAnswer(bytes, parsed, {
      upstream: findUpstreamProtocol(from),
      client: findChatProtocol(to),
      context: { model: 'm', includeUsage: true },
      stops: [],
    });
    const taken = turns.mock.calls.length;
    clock.mockRestore();
    turns.mockRestore();
    expect(converted.toString().match(written)).toHaveLength(CITATIONS);
    expect(taken).toBeGreaterThan(CITATIONS / 4);
  });
});
