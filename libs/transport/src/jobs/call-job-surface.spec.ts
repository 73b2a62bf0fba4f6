import type { JsonObject } from '@mg/protocols';
import { describe, expect, it } from 'vitest';
import { callJobSurface } from './call-job-surface.js';
import type { JobHttp } from './job-http.js';

const REQUEST = { method: 'GET', url: new URL('https://example.com/job'), headers: {} } as const;
const TIMEOUTS = { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 };

const repeat = <Item>(length: number, item: Item) => Array.from({ length }, () => item);

/** What is read of a provider's answer. */
async function readAnswer(json: JsonObject): Promise<JsonObject | undefined> {
  const http = { send: async () => ({ status: 200, headers: {}, json, text: '' }) } as unknown as JobHttp;
  return (await callJobSurface({}, REQUEST, TIMEOUTS, http)).json;
}

describe('C1: an answer about a job', () => {
  it('is kept as it is', async () => {
    const answer = () => ({
      id: 'a',
      input: { prompt: 'x'.repeat(32_768), points: repeat(10_000, [0]) },
      output: ['https://example.com/video.mp4'],
    });
    expect(await readAnswer(answer())).toEqual(answer());
  });

  it('is kept without megabytes that say nothing of the job', async () => {
    const long = 'x'.repeat(64 * 1024 + 1);
    const answer = { id: 'a', url: long, input: { image: long, list: [1, long, 'b'] }, error: long };
    expect(await readAnswer(answer)).toEqual({
      id: 'a',
      url: null,
      input: { image: null, list: [1, null, 'b'] },
      error: null,
    });
  });

  it('is kept with so many characters, of what stands further inside the fewest', async () => {
    const text = 'x'.repeat(64 * 1024);
    const read = await readAnswer({ inner: { list: [text, 'b'] }, a: text, b: text, c: text });
    expect(read).toEqual({ inner: { list: [text, null] }, a: text, b: text, c: text });
  });

  it.each([
    ['a list', { list: repeat(500_000, 0) }],
    ['many lists', { lists: repeat(30, repeat(2_000, 0)) }],
    ['many objects', { objects: repeat(20_001, { a: 1 }) }],
  ])('says nothing where it holds more than any provider says: %s', async (_, answer) => {
    expect(await readAnswer(answer)).toBeUndefined();
  });
});
