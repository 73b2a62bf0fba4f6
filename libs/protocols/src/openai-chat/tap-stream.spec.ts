import { describe, expect, it } from 'vitest';
import { joinPieces } from '../canonical/text-pieces.js';
import { ChatStreamTap } from './tap-stream.js';

const chunk = (content: string) =>
  `data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}],"usage":null}\n\n`;
const usage =
  'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":34,"total_tokens":46,"prompt_tokens_details":{"cached_tokens":5},"completion_tokens_details":{"reasoning_tokens":3}}}\n\n';
const done = 'data: [DONE]\n\n';
const report = (tokens: number) =>
  `data: {"choices":[{"index":0,"delta":{"content":"x"}}],"usage":{"prompt_tokens":3,"completion_tokens":${tokens}}}\n\n`;
const text = 'Hé said "usage": {} and \\"error\\" – 日本';

function run(stream: Buffer, cuts: readonly number[], withholdUsage: boolean) {
  const tap = new ChatStreamTap({ withholdUsage });
  const out: Buffer[] = [];
  let at = 0;
  for (const cut of [...cuts, stream.length]) {
    out.push(tap.push(stream.subarray(at, cut)));
    at = cut;
  }
  out.push(tap.end());
  return { tap, bytes: Buffer.concat(out).toString() };
}

const shapes = {
  'LF lines': chunk(text) + chunk(' world') + usage + done,
  'CRLF lines': (chunk(text) + chunk(' world') + usage + done).replaceAll('\n', '\r\n'),
  'CR lines': (chunk(text) + chunk(' world') + usage + done).replaceAll('\n', '\r'),
  'comments and no final newline': `: keep-alive\n\n${chunk(text)}: ping\n\n${chunk(' world')}${usage}data: [DONE]`,
};

describe('ChatStreamTap', () => {
  it('T25: keeps the text of a long event that also ends the answer, in its place and once', () => {
    const long = 'a"'.repeat(100_000);
    const last = chunk(long).replace('"finish_reason":null', '"finish_reason":"stop"');
    const { tap } = run(Buffer.from(chunk('before ') + last + chunk(' after') + done), [], false);
    expect(joinPieces(tap.readText()) === `before ${long} after`).toBe(true);
    expect(tap.ended).toBe(true);
  });

  for (const [name, shape] of Object.entries(shapes)) {
    const stream = Buffer.from(shape);

    it(`forwards every byte of a stream with ${name}, cut anywhere`, () => {
      for (let cut = 0; cut <= stream.length; cut++) {
        const { tap, bytes } = run(stream, [cut], false);
        expect(bytes).toBe(shape);
        expect(tap.usage).toMatchObject({
          inputTokens: 12,
          cachedInputTokens: 5,
          outputTokens: 34,
          reasoningTokens: 3,
        });
      }
    });

    it(`withholds only the usage event of a stream with ${name}, cut anywhere`, () => {
      const cutEverywhere = Array.from({ length: stream.length }, (_, index) => index);
      for (const cuts of [...cutEverywhere.map((cut) => [cut]), cutEverywhere]) {
        const { tap, bytes } = run(stream, cuts, true);
        expect(bytes.replaceAll(/[\r\n]+/g, '|')).not.toContain('"prompt_tokens"');
        expect(bytes.replaceAll(/\s/g, '')).toBe(
          shape.replaceAll(/data: \{"id":"c1","choices":\[\].*?(?:\r\n|\n|\r)/g, '').replaceAll(/\s/g, ''),
        );
        expect(tap.usage?.outputTokens).toBe(34);
      }
    });
  }

  it('keeps the text that was produced', () => {
    const { tap } = run(Buffer.from(shapes['LF lines']), [50], true);
    expect(tap.readText()).toBe(`${text} world`);
  });

  it('takes usage that rides on a chunk with a choice, and lets the chunk pass', () => {
    const last =
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n';
    const { tap, bytes } = run(Buffer.from(last), [], true);
    expect(bytes).toBe(last);
    expect(tap.usage?.outputTokens).toBe(4);
  });

  it('keeps the largest of cumulative reports', () => {
    const { tap } = run(Buffer.from(report(1) + report(2) + report(3)), [], true);
    expect(tap.usage).toMatchObject({ inputTokens: 3, outputTokens: 3 });
  });

  it('tells a whole stream from one that was cut', () => {
    expect(run(Buffer.from(chunk('a') + chunk('b')), [], true).tap.ended).toBe(false);
    expect(run(Buffer.from(chunk('a') + done), [], true).tap.ended).toBe(true);
    expect(run(Buffer.from(chunk('a').replace('null', '"stop"')), [], true).tap.ended).toBe(true);
  });

  it('notices an error event, and forwards neither it nor what follows', () => {
    const error = 'data: {"error":{"message":"key sk-upstream-secret is over quota"}}\n\n';
    for (const cut of [0, chunk('a').length, chunk('a').length + 9]) {
      const { tap, bytes } = run(Buffer.from(chunk('a') + error + chunk('b') + done), [cut], true);
      expect(tap.fault).toEqual({ error: { message: 'key sk-upstream-secret is over quota' } });
      expect(bytes).toBe(chunk('a'));
    }
  });

  it('knows the last event', () => {
    expect(run(Buffer.from(chunk('a') + done), [], true).tap.done).toBe(true);
    expect(run(Buffer.from(chunk('[DONE').replace('null', '"stop"')), [], true).tap.done).toBe(false);
  });

  it.each([
    ['{"prompt_tokens":-5,"completion_tokens":-1}', undefined],
    ['{"prompt_tokens":9,"completion_tokens":1e300}', undefined],
    ['{"prompt_tokens":"12","completion_tokens":true}', undefined],
    [
      '{"prompt_tokens":-5,"completion_tokens":2.25,"prompt_tokens_details":{"cached_tokens":-9}}',
      [0, 0, 3, 0],
    ],
    ['{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":50}}', [9, 9, 2, 0]],
    [
      '{"prompt_tokens":9,"completion_tokens":2,"total_tokens":16,"completion_tokens_details":{"reasoning_tokens":5}}',
      [9, 0, 7, 5],
    ],
    [
      '{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16,"completion_tokens_details":{"reasoning_tokens":5}}',
      [9, 0, 7, 5],
    ],
    ['{"prompt_tokens":9,"completion_tokens":2,"prompt_cache_hit_tokens":4}', [9, 4, 2, 0]],
  ])('reads usage %s', (figures, expected) => {
    const { tap } = run(Buffer.from(`data: {"choices":[],"usage":${figures}}\n\n`), [], true);
    const { usage } = tap;
    expect(
      usage && [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens, usage.reasoningTokens],
    ).toEqual(expected);
  });

  it('finds usage where Groq and Moonshot put it', () => {
    const figures = '{"prompt_tokens":3,"completion_tokens":4}';
    for (const data of [
      `{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":${figures}}}`,
      `{"choices":[{"delta":{},"finish_reason":"stop","usage":${figures}}]}`,
    ]) {
      expect(run(Buffer.from(`data: ${data}\n\n`), [], true).tap.usage?.outputTokens).toBe(4);
    }
  });
});
