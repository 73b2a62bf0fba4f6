import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReplyContext } from '../canonical/codec.js';
import { codec as openaiChat } from '../openai-chat/codec.js';
import { decodeStream } from '../testing/read-stream.js';
import { codec as geminiGenerate } from './codec.js';

function encode(path: string, context: Partial<ReplyContext>, codec = geminiGenerate): string {
  const stream = readFileSync(new URL(path, import.meta.url));
  const encoder = geminiGenerate.createStreamEncoder({ model: 'm', includeUsage: true, ...context });
  return decodeStream(codec, [stream])
    .map((event) => encoder.encode(event))
    .join('');
}

describe('GeminiStreamEncoder', () => {
  it('writes the same chunks as events and as an array', () => {
    const path = '__golden__/stream-calls/stream.sse';
    const frames = encode(path, {}).split('\r\n\r\n').slice(0, -1);
    const chunks = frames.map((frame): unknown => JSON.parse(frame.slice('data: '.length)));
    expect(JSON.parse(encode(path, { framing: 'json-array' }))).toEqual(chunks);
    expect(chunks.length).toBeGreaterThan(3);
  });

  it('closes the array after a failure, even if nothing came before', () => {
    const array = JSON.parse(
      encode('__golden__/stream-error-in-array/stream.sse', { framing: 'json-array' }),
    );
    expect(array).toEqual([
      { error: { code: 500, message: 'Resource has been exhausted.', status: 'INTERNAL' } },
    ]);
  });

  it('keeps thoughts from clients that do not ask for them, but not what proves them', () => {
    const hidden = encode('__golden__/stream-thinking/stream.sse', { showReasoning: false });
    expect(hidden).not.toContain('Weighing');
    expect(hidden).toContain('thoughtSignature');
    expect(hidden).toContain('are fine.');
  });

  it('never gives a call with arguments that broke off', () => {
    const path = '../openai-chat/__golden__/stream-call-length/stream.sse';
    const text = encode(path, {}, openaiChat);
    expect(text).not.toContain('functionCall');
    expect(text).toContain('"finishReason":"MAX_TOKENS"');
  });
});
