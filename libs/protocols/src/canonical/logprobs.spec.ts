import { describe, expect, it, vi } from 'vitest';
import { findCodec, findUpstreamProtocol } from '../chat/chat-protocols.js';
import { ConvertingStream } from '../chat/converting-stream.js';
import { isObject, type JsonObject } from '../json.js';
import { cutLogprobs } from './logprobs.js';
import { readList } from './read-fields.js';

const CONTEXT = { model: 'm', includeUsage: true };
/** Characters of JSON that are written in one go at most: it takes two milliseconds. */
const LONGEST_PIECE = 256 * 1024;
const MANY = 20_000;

function repeat<T>(count: number, write: (at: number) => T): T[] {
  return Array.from({ length: count }, (_, at) => write(at));
}

/** An event with the twenty likeliest tokens in the place of each of a thousand. */
function writeEvent(tokens = 1_000): Buffer {
  const candidate = (token: string) => ({ token, logProbability: -0.5 });
  const topCandidates = repeat(tokens, (at) => ({
    candidates: repeat(20, (index) => candidate(` t${at}-${index}`)),
  }));
  const logprobsResult = { topCandidates, chosenCandidates: repeat(tokens, (at) => candidate(` t${at}-0`)) };
  const answered = { content: { parts: [{ text: 'a' }] }, logprobsResult, finishReason: 'STOP' };
  return Buffer.from(`data: ${JSON.stringify({ candidates: [answered] })}\n\n`);
}

async function convertStream(event: Buffer, client: Parameters<typeof findCodec>[0]): Promise<string> {
  const stream = new ConvertingStream(findCodec('gemini-generate'), findCodec(client), CONTEXT);
  const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
  return Buffer.concat([await stream.push(event, pause), await stream.end(pause)]).toString();
}

describe('M5: likelihoods of a large event', () => {
  it.each(['openai-chat', 'openai-completions', 'openai-responses'] as const)(
    'are written in steps: %s',
    async (client) => {
      const event = writeEvent();
      const written = vi.spyOn(JSON, 'stringify');
      await convertStream(event, client);
      const longest = Math.max(...written.mock.results.map(({ value }) => String(value).length));
      written.mockRestore();
      expect(longest).toBeLessThan(LONGEST_PIECE);
    },
  );

  it('are read in steps before the event is', async () => {
    const { logprobs, codec } = findUpstreamProtocol('gemini-generate');
    const answer = JSON.parse(writeEvent().toString().slice('data: '.length)) as JsonObject;
    await logprobs?.reading.note(logprobs.list(answer), () => Promise.resolve());
    const bytes = vi.spyOn(Buffer, 'from');
    codec.decodeReply(answer);
    expect(bytes).not.toHaveBeenCalled();
    bytes.mockRestore();
  });

  it('keep their order and their places in the text', async () => {
    const text = await convertStream(writeEvent(100), 'openai-completions');
    const chunks = text.split('\n\n').flatMap((frame) => /^data: (\{.*\})$/s.exec(frame)?.[1] ?? []);
    const events = chunks.map((json) => JSON.parse(json) as { choices: { logprobs: JsonObject | null }[] });
    const lists = events.flatMap(({ choices }) =>
      choices.flatMap(({ logprobs }) => (logprobs ? [logprobs] : [])),
    );
    const tokens = lists.flatMap((list) => readList(list.tokens));
    expect(tokens).toEqual(repeat(100, (at) => ` t${at}-0`));
    const places = tokens.map((_, at) => tokens.slice(0, at).join('').length);
    expect(lists.flatMap((list) => readList(list.text_offset))).toEqual(places);
  });
});

describe('likelihoods', () => {
  it('are cut with what is beside their tokens', () => {
    const refusal = repeat(3_000, (at) => ({ token: `r${at}`, logprob: -1, top_logprobs: [] }));
    const pieces = cutLogprobs({ content: null, refusal });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.flatMap((piece) => readList(piece.refusal))).toEqual(refusal);
  });

  it.each([1, 2])('have no more of the likeliest tokens than are written in one step: %i', (count) => {
    const top_logprobs = repeat(MANY, (at) => ({ token: `t${at}`, logprob: -at }));
    const content = repeat(count, () => ({ token: 'a', logprob: -1, top_logprobs }));
    const [piece] = cutLogprobs({ content });
    const [token] = readList(piece?.content);
    expect(isObject(token) && readList(token.top_logprobs)).toEqual(top_logprobs.slice(0, 1_000));
  });

  it.each([
    [
      'gemini-generate',
      { candidates: [{ logprobsResult: { chosenCandidates: [{ token: 'a'.repeat(MANY) }] } }] },
    ],
    ['openai-completions', { choices: [{ text: 'a', logprobs: { tokens: ['a'.repeat(MANY)] } }] }],
  ] as const)('leave out the bytes of what is too long for a token: %s', (from, answer) => {
    const [choice] = findCodec(from).decodeReply(answer).choices;
    expect(choice?.logprobs?.content).toMatchObject([{ token: 'a'.repeat(MANY), bytes: null }]);
  });
});
