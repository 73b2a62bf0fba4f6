import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GeminiStreamTap } from './tap-stream.js';

const stream = readFileSync(new URL('__golden__/stream-thinking/stream.sse', import.meta.url));

function run(bytes: Buffer, cut: number, framing?: 'sse' | 'json-array') {
  const tap = new GeminiStreamTap(framing ? { framing } : {});
  const out = [tap.push(bytes.subarray(0, cut)), tap.push(bytes.subarray(cut)), tap.end()];
  return { tap, text: Buffer.concat(out).toString() };
}

describe('GeminiStreamTap', () => {
  it('forwards every byte, cut anywhere, and reads usage and text along', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      const { tap, text } = run(stream, cut);
      expect(text).toBe(stream.toString());
      expect(tap.usage).toMatchObject({ inputTokens: 9, outputTokens: 45, reasoningTokens: 40 });
      expect(tap.ended).toBe(true);
      expect(tap.readText()).toBe('**Weighing**\n\nBoth are fine.Both are fine.');
    }
  });

  it('gives the same chunks as a JSON array to clients that do not ask for events', () => {
    const chunks = stream
      .toString()
      .split('\r\n\r\n')
      .filter((frame) => frame !== '')
      .map((frame): unknown => JSON.parse(frame.slice('data: '.length)));
    for (let cut = 0; cut <= stream.length; cut += 7) {
      expect(JSON.parse(run(stream, cut, 'json-array').text)).toEqual(chunks);
    }
    expect(run(Buffer.alloc(0), 0, 'json-array').text).toBe('[]');
  });

  it('notices an error, a blocked prompt, and a stream that stops short', () => {
    const error = Buffer.from('data: {"error":{"code":503,"message":"overloaded"}}\r\n\r\n');
    expect(run(error, 5).tap.fault).toEqual({ error: { code: 503, message: 'overloaded' } });
    const blocked = Buffer.from(
      'data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}}\r\n\r\n',
    );
    expect(run(blocked, 5).tap.ended).toBe(true);
    const [first = ''] = stream.toString().split('\r\n\r\n');
    expect(run(Buffer.from(`${first}\r\n\r\n`), 9).tap.ended).toBe(false);
  });
});
