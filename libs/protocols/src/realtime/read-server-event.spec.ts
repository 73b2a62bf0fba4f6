import { describe, expect, it, vi } from 'vitest';
import { readCpuMs } from '../testing/cpu-time.js';
import { parseLongServerMessage } from './parse-server-message.js';
import { readServerEvent } from './read-server-event.js';
import { REALTIME_LIMITS } from './realtime-names.js';

const LONGEST = 2 * 1024 * 1024;
const RUNS = 10;
/** The aim is 10 ms on a free machine. */
const QUICK_MS = 40;
/** What `JSON.parse` takes there of a message that is as long, all of escapes. */
const PARSED_MS = 5;

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

/** As many times longer as a long message takes here to be parsed, which is measured only where that may make a difference. */
function allowMs(tookMs: number): number {
  if (tookMs < QUICK_MS) return QUICK_MS;
  const text = fill('{"delta":"', () => '\\n', '"}').toString();
  return QUICK_MS * Math.max(1, measure(() => JSON.parse(text)) / PARSED_MS);
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
    const tookMs = measure(() => readServerEvent(message));
    expect(tookMs).toBeLessThan(allowMs(tookMs));
  });

  it('that is long is parsed in steps before it is read', async () => {
    const text = '\n"'.repeat(LONGEST / 8);
    const message = Buffer.from(
      JSON.stringify({ type: 'response.output_text.delta', response_id: 'r', delta: text }),
    );
    let pauses = 0;
    await parseLongServerMessage(message, () => Promise.resolve(void pauses++));
    expect(pauses).toBeGreaterThan(10);
    const parsed = vi.spyOn(JSON, 'parse');
    expect(readServerEvent(message)).toMatchObject({ kind: 'produced', textBytes: text.length });
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
  });

  it('that is short is not waited for, and one that holds too much is none', async () => {
    const wait = () => Promise.reject(new Error('waited'));
    await parseLongServerMessage(Buffer.from('{"type":"x"}'), wait);
    const many = fill('{"type":"x","list":[', () => '{},', '0]}');
    await parseLongServerMessage(many, () => Promise.resolve());
    expect(readServerEvent(many)).toBeUndefined();
  });

  it.each<[string, (index: number) => string]>([
    ['members', (index) => `{"name ${index}":0},`],
    ['objects', () => '{},'],
    ['numbers', () => '0,'],
    ['levels', () => '['],
  ])('that is two megabytes of %s is none, and costs no more', (_, piece) => {
    const message = fill('{"type":"x","list":[', piece, '0]}');
    expect(readServerEvent(message)).toBeUndefined();
    const tookMs = measure(() => readServerEvent(message));
    expect(tookMs).toBeLessThan(allowMs(tookMs));
  });

  it('that is a response which failed at length is none: all of it would be searched for secrets', () => {
    const failure = fill(
      '{"type":"response.done","response":{"id":"r","status":"failed","why":"',
      () => 'a',
      '"}}',
    );
    expect(readServerEvent(failure)).toBeUndefined();
  });

  it('is an error at any length: clients decide what is repeated to them', () => {
    const failure = fill('{"type":"error","error":{"type":"server_error","message":"', () => 'a', '"}}');
    expect(readServerEvent(failure)).toMatchObject({ kind: 'error', isFailure: true });
  });

  it('may repeat all that a client may send, beside members of its own', () => {
    const { members, newNames } = REALTIME_LIMITS;
    const sent = Array.from({ length: members }, (_, index) => `"a long name ${index % newNames}":{}`);
    const objects = Array.from(
      { length: 10 },
      (_, at) => `{${sent.slice((at * members) / 10, ((at + 1) * members) / 10).join(',')}}`,
    );
    const names = '"object":"realtime.session","voice":"alloy"';
    const message = `{"type":"session.updated","session":{${names},"tools":[${objects.join(',')}]},"pad":"${'a'.repeat(128 * 1024)}"}`;
    expect(readServerEvent(Buffer.from(message))).toMatchObject({ kind: 'session' });
  });

  it('says what comes in by its own format, and who transcribes', () => {
    const describe = (session: object) =>
      readServerEvent(Buffer.from(JSON.stringify({ type: 'session.updated', session })));
    const input = { format: { type: 'audio/pcmu' }, transcription: { model: 'whisper-1' } };
    expect(describe({ audio: { input, output: { format: { type: 'audio/pcm' } } } })).toMatchObject({
      audio: { heardBytes: 8_000, saidBytes: 48_000 },
      transcriber: 'whisper-1',
    });
    const beta = { input_audio_format: 'pcm16', output_audio_format: 'g711_ulaw' };
    expect(describe({ ...beta, input_audio_transcription: null })).toMatchObject({
      audio: { heardBytes: 48_000, saidBytes: 8_000 },
      transcriber: null,
    });
    expect(describe(beta)).toMatchObject({ transcriber: undefined });
  });
});
