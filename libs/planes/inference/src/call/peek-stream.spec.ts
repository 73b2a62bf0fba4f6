import type { BodyReader, UpstreamReply } from '@mg/transport';
import { describe, expect, it } from 'vitest';
import { PeekedStream } from './peek-stream.js';

/** How a stream opens that comes in pieces of the network's size. */
async function open(text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const read = (reader: BodyReader) => {
    for (let at = 0; at < bytes.length; at += 65_536) void reader.data(bytes.subarray(at, at + 65_536));
    reader.end();
  };
  const reply: UpstreamReply = {
    status: 200,
    headers: {},
    read,
    pause: () => undefined,
    resume: () => undefined,
    markBegun: () => undefined,
  };
  return (await new PeekedStream(reply).opening).kind;
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
});
