/** Silence of so many seconds as a WAV file: 8 kHz, one channel, 16 bits. */
export function writeSilence(seconds: number): Buffer {
  const size = Math.round(seconds * 16_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size)]);
}
