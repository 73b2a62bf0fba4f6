import { describe, expect, it } from 'vitest';
import { readCpuMs } from '../testing/cpu-time.js';
import { readServerEvent } from './read-server-event.js';

const LONGEST = 2 * 1024 * 1024;
const RUNS = 10;
/** The aim is 10 ms on a free machine. */
const QUICK_MS = 40;

/** A message of the longest kind, filled with pieces. */
function fill(before: string, piece: (index: number) => string, after: string): Buffer {
  const pieces: string[] = [];
  let bytes = before.length + after.length;
  for (let index = 0; bytes < LONGEST; index++) {
    const next = piece(index);
    bytes += Buffer.byteLength(next);
    pieces.push(next);
  }
  return Buffer.from(before + pieces.join('') + after);
}

/** CPU time of the quickest of some runs. */
function measure(run: () => void): number {
  const times = Array.from({ length: RUNS }, () => {
    const beganMs = readCpuMs();
    run();
    return readCpuMs() - beganMs;
  });
  return Math.min(...times);
}

describe('a message of an upstream', () => {
  it.each([
    ['one letter', 'a'],
    ['emoji', '😀'],
    ['escapes', '\\n'],
    ['letters and an emoji', 'aaaaaaaaaaaaaaaa😀'],
  ])('that is two megabytes of %s is read at once', (_, unit) => {
    const message = fill(
      '{"type":"response.output_text.delta","response_id":"r","delta":"',
      () => unit,
      '"}',
    );
    expect(readServerEvent(message)).toMatchObject({ kind: 'produced', responseId: 'r' });
    expect(measure(() => readServerEvent(message))).toBeLessThan(QUICK_MS);
  });

  it.each<[string, (index: number) => string]>([
    ['members', (index) => `{"name ${index}":0},`],
    ['objects', () => '{},'],
    ['numbers', () => '0,'],
    ['levels', () => '['],
  ])('that is two megabytes of %s is none, and costs no more', (_, piece) => {
    const message = fill('{"type":"x","list":[', piece, '0]}');
    expect(readServerEvent(message)).toBeUndefined();
    expect(measure(() => readServerEvent(message))).toBeLessThan(QUICK_MS);
  });

  it('that is a failure of megabytes is none: all of it would be searched for secrets', () => {
    const failure = fill('{"type":"error","error":{"message":"', () => 'a', '"}}');
    expect(readServerEvent(failure)).toBeUndefined();
    expect(readServerEvent(Buffer.from('{"type":"error","error":{"type":"server_error"}}'))).toMatchObject({
      kind: 'error',
      isFailure: true,
    });
  });
});
