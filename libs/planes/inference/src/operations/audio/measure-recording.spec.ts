import { writeSilence } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { measureRecording } from './measure-recording.js';

/** Silent frames of MPEG-1 layer III, 44.1 kHz, 128 kbit/s: 26 ms each. */
function writeFrames(count: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xff_fb_90_c4, 0);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

async function* readInPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

const file = (bytes: Buffer, filename = 'speech.wav', contentType = 'application/octet-stream') => [
  { name: 'file', filename, contentType, bytes },
];

describe('a recording', () => {
  it('is measured to the second that has begun, whatever the client says of its type', async () => {
    expect(await measureRecording(file(writeSilence(2.4)))).toMatchObject({
      seconds: 3,
      measured: true,
      contentType: 'audio/wav',
    });
    expect(await measureRecording(file(writeSilence(2), 'speech', 'audio/x-wav'))).toMatchObject({
      seconds: 2,
      contentType: 'audio/x-wav',
    });
  });

  it.each([
    ['speech.wav', writeSilence(7.5), 8],
    ['speech.mp3', writeFrames(100), 3],
    ['noise.mp3', Buffer.alloc(70_000, 7), 70],
  ])('is measured on disk as in memory: %s', async (filename, bytes, seconds) => {
    const onDisk = { length: bytes.length, head: bytes.subarray(0, 64), read: () => readInPieces(bytes) };
    const { bytes: _held, ...held } = await measureRecording(file(bytes, filename));
    const { bytes: _read, ...read } = await measureRecording([{ name: 'file', filename, bytes: onDisk }]);
    expect(held.seconds).toBe(seconds);
    expect(read).toEqual(held);
  });

  it('that cannot be read is bounded by its bytes', async () => {
    expect(await measureRecording(file(Buffer.alloc(2_500, 7), 'speech.mp3'))).toMatchObject({
      seconds: 3,
      measured: false,
      contentType: 'audio/mpeg',
    });
  });

  it.each([
    ['none', []],
    ['a field', [{ name: 'file', bytes: Buffer.from('text') }]],
    ['an empty one', file(Buffer.alloc(0))],
  ])('is needed: %s', async (_, parts) => {
    await expect(measureRecording(parts)).rejects.toMatchObject({ code: 'invalid_request', param: 'file' });
  });
});
