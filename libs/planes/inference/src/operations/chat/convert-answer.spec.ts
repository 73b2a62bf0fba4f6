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

async function convert(answer: Buffer, kind: Kind): Promise<Buffer> {
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
  const conversion = { upstream: UPSTREAM, client, context: context(kind), stops: [] };
  return convertAnswer(bytes, parsed, conversion);
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
