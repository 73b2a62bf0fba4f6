import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLIENT_PROTOCOLS } from './chat/chat-protocols.js';
import type { Framing } from './chat/chat-protocol.js';
import { findChatProtocol } from './chat/chat-protocols.js';
import type { StreamReader } from './chat/chat-protocol.js';
import { AwsEventStreamReader, FrameError } from './framing/aws-event-stream.js';
import { EventSplitter, EventTooLargeError } from './framing/event-splitter.js';
import { measureGrowth } from './testing/cpu-time.js';
import { paceOf } from './testing/fuzz-pace.js';
import { CODECS, readGoldens, readText } from './testing/read-goldens.js';
import { decodeStream } from './testing/read-stream.js';

const MEGABYTE = 1024 * 1024;

/** Cuts bytes at these places, wherever they fall. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...sorted, bytes.length].map((end, index) => bytes.subarray(sorted[index - 1] ?? 0, end));
}

/** A stream with some of its bytes changed, left out or doubled. */
function damaged(stream: Buffer): fc.Arbitrary<Buffer> {
  const damage = fc.record({ at: fc.nat(stream.length - 1), byte: fc.nat(255), kind: fc.nat(2) });
  return fc.array(damage, { maxLength: 8 }).map((all) => {
    let bytes = Buffer.from(stream);
    for (const { at, byte, kind } of all) {
      if (kind === 0) bytes[at % bytes.length] = byte;
      else if (kind === 1)
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + (byte % 16))]);
      else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - byte))]);
      if (bytes.length === 0) return Buffer.from('\n');
    }
    return bytes;
  });
}

const places = fc.array(fc.nat(1_000_000), { maxLength: 12 });

/** All that a reader passes on, or nothing when the stream is refused in words. */
function forward(reader: StreamReader, pieces: readonly Buffer[]): string | undefined {
  try {
    const passed = pieces.map((piece) => reader.push(piece));
    return Buffer.concat([...passed, reader.end()]).toString('latin1');
  } catch (error) {
    if (error instanceof EventTooLargeError) return undefined;
    throw error;
  }
}

/** What comes out of the frames, or nothing when they are refused in words. */
function unwrap(pieces: readonly Buffer[]): string | undefined {
  const reader = new AwsEventStreamReader();
  try {
    return Buffer.concat(pieces.map((piece) => reader.push(piece))).toString('latin1');
  } catch (error) {
    if (error instanceof FrameError) return undefined;
    throw error;
  }
}

/** One frame as Bedrock sends it: lengths, a header of every type, the event in base64. */
function frame(event: unknown, name = 'chunk'): Buffer {
  const header = Buffer.concat([
    Buffer.from([11]),
    Buffer.from(':event-type'),
    Buffer.from([7, 0, name.length]),
    Buffer.from(name),
    Buffer.from([4, 'flag'.charCodeAt(0), 1, 2, 3, 0]),
  ]);
  const payload = Buffer.from(
    JSON.stringify({ bytes: Buffer.from(JSON.stringify(event)).toString('base64') }),
  );
  const lengths = Buffer.alloc(12);
  lengths.writeUInt32BE(16 + header.length + payload.length, 0);
  lengths.writeUInt32BE(header.length, 4);
  return Buffer.concat([lengths, header, payload, Buffer.alloc(4)]);
}

/** Gives bytes to a reader in pieces of a size. */
function pushInPieces(bytes: Buffer, pieceBytes: number, reader: { push(piece: Buffer): unknown }): void {
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
}

describe('taps and converters', () => {
  for (const name of CLIENT_PROTOCOLS) {
    const protocol = findChatProtocol(name);
    const framings: readonly Framing[] = name === 'gemini-generate' ? ['sse', 'json-array'] : ['sse'];
    const streams = readGoldens('stream.sse')
      .filter(({ codec }) => codec.name === name)
      .map((golden) => Buffer.from(readText(golden, 'stream.sse')));
    if (streams.length === 0) continue;

    it(`${name}: a damaged stream is passed on the same, however it is cut`, () => {
      const any = fc.constantFrom(...streams).chain(damaged);
      fc.assert(
        fc.property(
          any,
          places,
          fc.constantFrom(...framings),
          fc.boolean(),
          (stream, at, framing, withhold) => {
            const options = { withholdUsage: withhold, framing };
            const whole = protocol.createTap(options);
            const inPieces = protocol.createTap(options);
            const pieces = cut(stream, at);
            const passed = forward(whole, [stream]);
            const passedInPieces = forward(inPieces, pieces);
            // A fault holds back what came with it in one piece, so only streams without one are the same.
            expect(whole.fault ? passed : passedInPieces).toBe(passed);
            expect(typeof passed).toBe('string');
            expect(typeof inPieces.readText()).toBe('string');
          },
        ),
        paceOf(150),
      );
    });

    it(`${name}: bytes of any kind are passed on or refused in words`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), places, (bytes, at) => {
          const reader = protocol.createTap({ withholdUsage: true, framing: 'sse' });
          forward(reader, cut(Buffer.from(bytes), at));
          expect(reader.ended).toBe(false);
        }),
        paceOf(150),
      );
    });
  }
});

describe('stream decoders', () => {
  for (const codec of CODECS) {
    const streams = readGoldens('stream.sse')
      .filter((golden) => golden.codec === codec)
      .map((golden) => Buffer.from(readText(golden, 'stream.sse')));

    it(`${codec.name}: a damaged stream says the same, however it is cut`, () => {
      const listTypes = (pieces: readonly Buffer[]) => decodeStream(codec, pieces).map((event) => event.type);
      fc.assert(
        fc.property(fc.constantFrom(...streams).chain(damaged), places, (stream, at) => {
          expect(listTypes(cut(stream, at))).toEqual(listTypes([stream]));
        }),
        paceOf(150),
      );
    });
  }
});

describe('frames of AWS', () => {
  const stream = Buffer.concat([
    frame({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 3 } } }),
    frame({ type: 'content_block_delta', delta: { text: 'Grüße 日本' } }),
    frame({ type: 'message_stop' }),
  ]);

  it('are read or refused in words, whatever is damaged and however they are cut', () => {
    fc.assert(
      fc.property(damaged(stream), places, (bytes, at) => {
        expect(unwrap(cut(bytes, at))).toBe(unwrap([bytes]));
      }),
      paceOf(500),
    );
  });

  it('of any bytes are refused in words', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(200), (bytes, headerBytes) => {
        const lengths = Buffer.alloc(12);
        lengths.writeUInt32BE(16 + bytes.length, 0);
        lengths.writeUInt32BE(headerBytes, 4);
        const frames = [Buffer.concat([lengths, Buffer.from(bytes), Buffer.alloc(4)])];
        expect(['string', 'undefined']).toContain(typeof unwrap(frames));
      }),
      paceOf(500),
    );
  });

  it('of more than half a megabyte are refused', () => {
    const large = frame({ text: 'x'.repeat(MEGABYTE / 2) });
    expect(() => new AwsEventStreamReader().push(large)).toThrow('not in the frames of AWS');
  });

  it('take time by their length, not by its square', () => {
    const growth = measureGrowth(MEGABYTE / 32, (bytes) =>
      pushInPieces(frame({ text: 'x'.repeat(bytes) }), 1_024, new AwsEventStreamReader()),
    );
    expect(growth).toBeLessThan(24);
  });
});

describe('EventSplitter', () => {
  it('takes time by the length of an event, not by its square', () => {
    const growth = measureGrowth(MEGABYTE / 4, (bytes) =>
      pushInPieces(Buffer.from(`data: ${'x'.repeat(bytes)}\n\n`), 256, new EventSplitter()),
    );
    expect(growth).toBeLessThan(24);
  });

  it('refuses an event that never ends', () => {
    const splitter = new EventSplitter(MEGABYTE);
    const piece = Buffer.alloc(64 * 1024, 'x');
    expect(() => {
      for (let sent = 0; sent <= MEGABYTE; sent += piece.length) splitter.push(piece);
    }).toThrow(EventTooLargeError);
  });
});
