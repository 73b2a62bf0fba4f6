import { describe, expect, it } from 'vitest';
import { readGoldens, readText } from '../testing/read-goldens.js';
import { cutAt, cutEverywhere, listOffsets } from '../testing/read-stream.js';
import { codec as anthropicMessages } from './codec.js';
import { MessagesStreamTap } from './tap-stream.js';

function streamOf(concept: string): string {
  const golden = readGoldens('stream.sse').find(
    ({ codec, concept: name }) => codec === anthropicMessages && name === concept,
  );
  if (!golden) throw new Error(`no golden ${concept}`);
  return readText(golden, 'stream.sse');
}

function run(pieces: readonly Buffer[]) {
  const tap = new MessagesStreamTap();
  const bytes = Buffer.concat([...pieces.map((piece) => tap.push(piece)), tap.end()]).toString();
  return { tap, bytes };
}

describe('MessagesStreamTap', () => {
  it('forwards every byte and takes usage out of it, cut anywhere', () => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const text = streamOf('stream-thinking-calls').replaceAll('\n', lineEnd);
      const stream = Buffer.from(text);
      const cuts = listOffsets(stream, 100).map((offset) => cutAt(stream, offset));
      for (const pieces of [cutEverywhere(stream), ...cuts]) {
        const { tap, bytes } = run(pieces);
        expect(bytes).toBe(text);
        expect(tap.ended).toBe(true);
        expect(tap.usage).toMatchObject({
          inputTokens: 100,
          cachedInputTokens: 50,
          cacheWriteTokens: 30,
          outputTokens: 40,
        });
      }
    }
  });

  it('keeps the text that was produced, thoughts and arguments included', () => {
    const { tap } = run([Buffer.from(streamOf('stream-thinking-calls'))]);
    expect(tap.readText()).toBe('I need both.Looking.get_weather{"city":"Rome"}now');
  });

  it('tells a whole stream from one that was cut, and a failure from both', () => {
    expect(run([Buffer.from(streamOf('stream-no-stop-event'))]).tap.ended).toBe(true);
    expect(run([Buffer.from(streamOf('stream-truncated'))]).tap).toMatchObject({
      ended: false,
      fault: undefined,
    });
    expect(run([Buffer.from(streamOf('stream-error'))]).tap.fault).toMatchObject({
      error: { type: 'overloaded_error' },
    });
  });

  it('takes usage that comes late, and the larger of two reports', () => {
    expect(run([Buffer.from(streamOf('stream-usage-late'))]).tap.usage).toMatchObject({ inputTokens: 25 });
    expect(run([Buffer.from(streamOf('stream-usage-twice'))]).tap.usage?.outputTokens).toBe(9);
  });
});
