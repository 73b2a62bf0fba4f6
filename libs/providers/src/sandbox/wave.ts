const HEAD_BYTES = 44;
const SAMPLES_PER_SECOND = 8_000;
const BYTES_PER_SAMPLE = 2;
const TONE_HERTZ = 440;
const LOUDNESS = 3_000;
/** Parts of a file that are looked at; a recording has a handful. */
const MAX_PARTS = 1_000;

/** Length of a WAV file in seconds; `undefined` for any other bytes. @see http://soundfile.sapp.org/doc/WaveFormat/ */
export function readWaveSeconds(bytes: Buffer): number | undefined {
  if (bytes.length < HEAD_BYTES || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let at = 12, parts = 0; at + 8 <= bytes.length && parts < MAX_PARTS; parts++) {
    const size = bytes.readUInt32LE(at + 4);
    const id = bytes.toString('latin1', at, at + 4);
    if (id === 'fmt ' && at + 20 <= bytes.length) bytesPerSecond = bytes.readUInt32LE(at + 16);
    if (id === 'data' && bytesPerSecond > 0) return Math.min(size, bytes.length - at - 8) / bytesPerSecond;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** A WAV file with a soft tone. */
export function writeTone(seconds: number): Buffer {
  const samples = Math.round(seconds * SAMPLES_PER_SECOND);
  const size = samples * BYTES_PER_SAMPLE;
  const file = Buffer.alloc(HEAD_BYTES + size);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEAD_BYTES - 8 + size, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  file.writeUInt32LE(SAMPLES_PER_SECOND * BYTES_PER_SAMPLE, 28);
  file.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  file.writeUInt16LE(8 * BYTES_PER_SAMPLE, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(size, 40);
  for (let sample = 0; sample < samples; sample++) {
    const height = Math.sin((2 * Math.PI * TONE_HERTZ * sample) / SAMPLES_PER_SECOND) * LOUDNESS;
    file.writeInt16LE(Math.round(height), HEAD_BYTES + sample * BYTES_PER_SAMPLE);
  }
  return file;
}
