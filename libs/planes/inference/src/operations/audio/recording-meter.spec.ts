import { writeSilence } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RecordingMeter } from './recording-meter.js';

const MEBIBYTE = 1024 * 1024;
const DEADLINE_MS = 300;
/** Far above the deadline, for a machine with other work; reading them took 12 and 8 seconds. */
const HELD_MS = 2_000;

/** Elements of two bytes, one after another, behind the head of a Matroska file. */
function writeElements(): Buffer {
  const head = Buffer.from('1a45dfa3801853806701ffffffffffffff', 'hex');
  return Buffer.concat([head, Buffer.alloc(MEBIBYTE, Buffer.from('ec80', 'hex'))]);
}

const factsOf = (bytes: Buffer, mimeType: string) => ({ mimeType, path: 'a', size: bytes.length });

describe('C1: the length of a recording is read in another thread, and not for long', () => {
  let meter: RecordingMeter;
  let longestTurnMs: number;
  let timer: NodeJS.Timeout;
  beforeEach(() => {
    meter = new RecordingMeter(DEADLINE_MS);
    longestTurnMs = 0;
    let startUs = process.threadCpuUsage().user;
    timer = setInterval(() => {
      const nowUs = process.threadCpuUsage().user;
      longestTurnMs = Math.max(longestTurnMs, (nowUs - startUs) / 1_000);
      startUs = nowUs;
    }, 1);
  });
  afterEach(() => clearInterval(timer));

  it.each([
    ['a megabyte that looks like the start of a frame', Buffer.alloc(MEBIBYTE, 0xff), 'audio/mpeg'],
    ['a megabyte of empty elements', writeElements(), 'audio/webm'],
  ])('%s', async (_, bytes, mimeType) => {
    expect(await meter.measure(bytes, factsOf(bytes, mimeType))).toBeUndefined();
    expect(longestTurnMs).toBeLessThan(HELD_MS);
    const silence = writeSilence(1);
    const patient = new RecordingMeter(20_000);
    expect(await patient.measure(silence, factsOf(silence, 'audio/wav'))).toBe(1);
  });

  it('a recording that waits behind one that takes too long is measured nevertheless', async () => {
    const bad = Buffer.alloc(MEBIBYTE, 0xff);
    const good = writeSilence(1);
    const meter = new RecordingMeter(3_000);
    const [first, second] = await Promise.all([
      meter.measure(bad, factsOf(bad, 'audio/mpeg')),
      meter.measure(good, factsOf(good, 'audio/wav')),
    ]);
    expect([first, second]).toEqual([undefined, 1]);
  });
});
