import { describe, expect, it, vi } from 'vitest';
import { AwsEventStreamReader, FrameError } from './aws-event-stream.js';

function frame(headers: Record<string, string>, payload: unknown): Buffer {
  const head = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + head.length + body.length + 4, 0);
  prelude.writeUInt32BE(head.length, 4);
  return Buffer.concat([prelude, head, body, Buffer.alloc(4)]);
}

const chunkHeaders = {
  ':event-type': 'chunk',
  ':content-type': 'application/json',
  ':message-type': 'event',
};
const event = (value: unknown) =>
  frame(chunkHeaders, { bytes: Buffer.from(JSON.stringify(value)).toString('base64'), p: 'abc' });

/** A frame that names its event, as those of Converse. */
const named = (name: string, value: unknown) => frame({ ...chunkHeaders, ':event-type': name }, value);

describe('AwsEventStreamReader', () => {
  const stream = Buffer.concat([
    event({ type: 'message_start', message: { id: 'm' } }),
    event({ type: 'content_block_delta', delta: { text: 'Grüße' } }),
    named('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Grüße' } }),
    frame(
      { ':message-type': 'exception', ':exception-type': 'throttlingException' },
      { message: 'Too many requests' },
    ),
  ]);
  const expected =
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m"}}\n\n' +
    'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"Grüße"}}\n\n' +
    'event: contentBlockDelta\ndata: {"contentBlockIndex":0,"delta":{"text":"Grüße"}}\n\n' +
    'event: error\ndata: {"type":"error","error":{"type":"throttlingException","message":"Too many requests"}}\n\n';

  it('gives the same events however the frames are cut', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const reader = new AwsEventStreamReader();
      const parts = [reader.push(stream.subarray(0, cut)), reader.push(stream.subarray(cut))];
      expect(Buffer.concat(parts).toString()).toBe(expected);
    }
  });

  it('gives an event as it was written, on one line', () => {
    const json = '{\r\n "id": 12345678901234567890,\n "text": "a\\n"\n}';
    const wrapped = frame(chunkHeaders, { bytes: Buffer.from(json).toString('base64') });
    expect(new AwsEventStreamReader().push(wrapped).toString()).toBe(
      'data: {  "id": 12345678901234567890,  "text": "a\\n" }\n\n',
    );
  });

  it('reads an event of thousands of levels, which is not written anew', () => {
    const levels = 20_000;
    const json = `{"type":"deep","a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const wrapped = frame(chunkHeaders, { bytes: Buffer.from(json).toString('base64') });
    expect(new AwsEventStreamReader().push(wrapped).toString()).toBe(`event: deep\ndata: ${json}\n\n`);
  });

  it.each<[string, (at: number) => string]>([
    ['members', (at) => `"${at % 900}":0`],
    ['names', (at) => `"name ${at}":0`],
    ['objects', (at) => `"${at % 900}":{}`],
    ['numbers', (at) => `"${at % 900}":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]`],
  ])('parses no frame of more %s than any piece of an answer has', (_, write) => {
    const members = Array.from({ length: 40_000 }, (_member, at) => write(at));
    const json = `{${members.join(',').slice(0, 300_000)}`;
    const parse = vi.spyOn(JSON, 'parse');
    expect(() =>
      new AwsEventStreamReader().push(frame(chunkHeaders, { bytes: Buffer.from(json).toString('base64') })),
    ).toThrow(/more values than/);
    const parsed = parse.mock.calls.map(([text]) => text.startsWith('{"bytes"'));
    parse.mockRestore();
    expect(parsed).toEqual([true]);
  });

  it('refuses headers of more than AWS allows', () => {
    const headers = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`h${at}`, 'v']));
    expect(() => new AwsEventStreamReader().push(frame(headers, {}))).toThrow(FrameError);
  });

  it('refuses what is no frame', () => {
    expect(() => new AwsEventStreamReader().push(Buffer.from('<html>not a frame</html>'))).toThrow(
      FrameError,
    );
    expect(() => new AwsEventStreamReader().push(Buffer.alloc(64))).toThrow(FrameError);
  });
});
