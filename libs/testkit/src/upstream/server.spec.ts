import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGate } from './gate.js';
import { type FakeUpstream, startFakeUpstream } from './server.js';

let upstream: FakeUpstream;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => upstream.reset());

const messages = [{ role: 'user', content: 'hello' }];

function ask(body: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
  return fetch(`${upstream.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test' },
    body: JSON.stringify({ model: 'plain', messages, ...body }),
    ...init,
  });
}

interface Chunk {
  choices: { index: number; delta: { content?: string }; finish_reason: string | null; usage?: unknown }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
}

async function readStream(response: Response): Promise<{ text: string; chunks: Chunk[] }> {
  const text = await response.text();
  const chunks = text
    .split(/\r?\n\r?\n/)
    .map((event) => event.replace(/^(:.*\r?\n)*data: ?/, ''))
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as Chunk);
  return { text, chunks };
}

function contentOf(chunks: Chunk[], index = 0): string {
  return chunks
    .flatMap((chunk) => chunk.choices)
    .filter((choice) => choice.index === index)
    .map((choice) => choice.delta.content ?? '')
    .join('');
}

describe('a whole answer', () => {
  it('reports the usage that the meter holds', async () => {
    const body = (await (await ask({})).json()) as { usage: Record<string, number> };
    const [call] = upstream.calls;
    expect(body.usage).toMatchObject({
      prompt_tokens: call?.promptTokens,
      completion_tokens: call?.completionTokens,
    });
    expect(call).toMatchObject({ completionTokens: 24, path: '/v1/chat/completions', status: 200 });
    expect(call?.rawBody.toString()).toBe(JSON.stringify({ model: 'plain', messages }));
    expect(call?.headers.authorization).toBe('Bearer sk-test');
  });

  it('counts every choice', async () => {
    await ask({ n: 3 });
    expect(upstream.calls[0]?.completionTokens).toBe(72);
  });

  it('reports absurd figures where it is told to, and keeps the truth in its meter', async () => {
    const body = (await (await ask({ model: 'usage-negative' })).json()) as { usage: Record<string, number> };
    expect(body.usage['completion_tokens']).toBe(-7);
    expect(upstream.calls[0]?.completionTokens).toBe(24);
  });
});

describe('a stream', () => {
  it('has the byte framing of OpenAI and a last usage event only when asked', async () => {
    const asked = await readStream(await ask({ stream: true, stream_options: { include_usage: true } }));
    expect(asked.text.endsWith('}\n\ndata: [DONE]\n\n')).toBe(true);
    expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 24 } });
    expect(asked.chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    const unasked = await readStream(await ask({ stream: true }));
    expect(unasked.chunks.some((chunk) => 'usage' in chunk)).toBe(false);
    expect(contentOf(unasked.chunks)).toBe(contentOf(asked.chunks));
  });

  it('interleaves its choices', async () => {
    const { chunks } = await readStream(await ask({ stream: true, n: 2, max_tokens: 4 }));
    expect(chunks.slice(0, 4).map((chunk) => chunk.choices[0]?.index)).toEqual([0, 1, 0, 1]);
    expect(contentOf(chunks, 1)).toBe(contentOf(chunks, 0));
  });

  it.each(['crlf-framing', 'no-space-framing', 'keep-alive-comments', 'no-final-newline', 'byte-by-byte'])(
    'says the same in the style %s',
    async (model) => {
      const { chunks } = await readStream(await ask({ model, stream: true, max_tokens: 2 }));
      expect(contentOf(chunks)).toBe('The river');
    },
  );

  it('keeps characters whole when its writes cut them', async () => {
    const { chunks } = await readStream(await ask({ model: 'odd-splits', stream: true }));
    expect(contentOf(chunks)).toBe('Grüße 🧡 to all');
  });

  it.each([
    ['usage-on-every-chunk', (chunks: Chunk[]) => chunks.every((chunk) => chunk.usage)],
    ['deepseek-like', (chunks: Chunk[]) => chunks.at(-1)?.usage?.completion_tokens === 36],
    ['xai-like', (chunks: Chunk[]) => chunks.at(-1)?.usage?.completion_tokens === 24],
    ['usage-in-choice', (chunks: Chunk[]) => chunks.at(-1)?.choices[0]?.usage !== undefined],
    ['usage-never', (chunks: Chunk[]) => !chunks.some((chunk) => chunk.usage)],
  ])('places usage as %s does', async (model, holds) => {
    const options = { stream: true, stream_options: { include_usage: true } };
    const { chunks } = await readStream(await ask({ model, ...options }));
    expect(holds(chunks)).toBe(true);
  });

  it('meters an aborted stream up to what it produced', async () => {
    const controller = new AbortController();
    const response = await ask({ model: 'endless', stream: true }, { signal: controller.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    controller.abort();
    const call = await upstream.waitForCall((seen) => seen.aborted);
    expect(call.completionTokens).toBeLessThan(1_000);
    expect(call).toMatchObject({ finished: false });
    expect(call.promptTokens).toBeGreaterThan(0);
  });
});

describe('a failure', () => {
  it.each([
    ['error-400-context', 400],
    ['error-401', 401],
    ['error-402', 402],
    ['error-403', 403],
    ['error-404', 404],
    ['error-404-file', 404],
    ['error-424', 424],
    ['error-504', 504],
    ['error-429', 429],
    ['error-500', 500],
    ['error-503', 503],
    ['error-529', 529],
  ])('%s answers %i with an error in its shape and bills nothing', async (model, status) => {
    const response = await ask({ model });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } });
    expect(upstream.calls[0]).toMatchObject({ promptTokens: 0, completionTokens: 0 });
  });

  it('carries Retry-After only where the provider does', async () => {
    expect((await ask({ model: 'error-429-retry-after' })).headers.get('retry-after')).toBe('2');
    expect((await ask({ model: 'error-429' })).headers.get('retry-after')).toBeNull();
  });

  it.each(['reset-before-headers', 'reset-after-headers', 'reset-in-stream'])(
    '%s breaks the connection',
    async (model) => {
      await expect(ask({ model, stream: true }).then((response) => response.text())).rejects.toThrow(
        /fetch failed|terminated/,
      );
    },
  );

  it('opens with an error event, or ends early, under a 200', async () => {
    const opening = await readStream(await ask({ model: 'error-event-first', stream: true }));
    expect(opening.text.startsWith('data: {"error":')).toBe(true);
    const early = await readStream(await ask({ model: 'end-in-stream', stream: true }));
    expect(early.chunks).toHaveLength(4);
    expect(early.text).not.toContain('[DONE]');
  });

  it('hangs until the client gives up', async () => {
    await expect(ask({ model: 'hang-before-headers' }, { signal: AbortSignal.timeout(50) })).rejects.toThrow(
      /timeout/,
    );
    const call = await upstream.waitForCall((seen) => seen.aborted);
    expect(call.status).toBeUndefined();
  });
});

describe('a script', () => {
  it('is followed call by call, and its last behaviour stays', async () => {
    upstream.script('plain', { failure: { kind: 'reply', status: 500, body: {} } }, {});
    const statuses = [await ask({}), await ask({}), await ask({})].map((response) => response.status);
    expect(statuses).toEqual([500, 200, 200]);
  });

  it('waits at a gate that the test opens', async () => {
    const gate = createGate();
    upstream.script('plain', { wait: gate.wait });
    const answers = Promise.all([ask({}), ask({})]);
    await upstream.waitForCall(() => upstream.calls.length === 2);
    gate.open();
    expect((await answers).map((response) => response.status)).toEqual([200, 200]);
  });
});

describe('the door', () => {
  it('lists models, refuses unknown routes and wrong keys', async () => {
    const list = (await (await fetch(`${upstream.url}/v1/models`)).json()) as { data: unknown[] };
    expect(list.data.length).toBeGreaterThan(10);
    expect((await fetch(`${upstream.url}/v1/nowhere`)).status).toBe(404);
    const guarded = await startFakeUpstream({ acceptedKeys: ['sk-right'] });
    const response = await fetch(`${guarded.url}/v1/models`, {
      headers: { authorization: 'Bearer sk-wrong' },
    });
    await guarded.close();
    expect(response.status).toBe(401);
  });
});
