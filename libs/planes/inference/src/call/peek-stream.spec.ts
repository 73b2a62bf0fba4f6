import { setImmediate as turn } from 'node:timers/promises';
import type { BodyReader, UpstreamReply } from '@mg/transport';
import { describe, expect, it } from 'vitest';
import { ReadingPace } from '../edge/loop-turns.js';
import { PeekedStream } from './peek-stream.js';

/** What the network brings at once. */
const PIECE_BYTES = 65_536;

function reply(read: (reader: BodyReader) => void): UpstreamReply {
  const nothing = () => undefined;
  return { status: 200, headers: {}, read, pause: nothing, resume: nothing, markBegun: nothing };
}

/** How a stream opens that comes in pieces of the network's size. */
async function open(text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const send = async (reader: BodyReader) => {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      await reader.data(bytes.subarray(at, at + PIECE_BYTES));
    }
    reader.end();
  };
  return (await new PeekedStream(reply((reader) => void send(reader))).opening).kind;
}

function workFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('PeekedStream', () => {
  it('tells data, an error and nothing apart', async () => {
    expect(await open(': ping\n\ndata: {"choices":[]}\n\n')).toBe('data');
    expect(await open(': ping\n\ndata: {"error":{"message":"no"}}\n\n')).toBe('error');
    expect(await open(': ping\n\n')).toBe('nothing');
  });

  it('T25: takes a first event that is longer than any error for data', async () => {
    expect(await open(`data: {"choices":["${'a'.repeat(1_000_000)}"]}\n\n`)).toBe('data');
    expect(await open(`data: {"error":"${'a'.repeat(1_000_000)}"}\n\n`)).toBe('data');
    expect(await open(`data: {"error":"${'a'.repeat(100_000)}"}\n\n`)).toBe('error');
  });

  it('M5: waits for another turn of the event loop once others have read for some milliseconds in this one', async () => {
    await turn();
    void new ReadingPace().waitFor(PIECE_BYTES);
    workFor(5);
    const stream = new PeekedStream(reply(() => undefined));
    const waiting = stream.data(Buffer.from(`: ${'a'.repeat(PIECE_BYTES)}\n\ndata: {"choices":[]}\n\n`));
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    expect((await stream.opening).kind).toBe('data');
  });
});
