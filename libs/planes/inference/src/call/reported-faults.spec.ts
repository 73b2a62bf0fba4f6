import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20, stream: true };
const GEMINI = '/v1beta/models/m:streamGenerateContent?alt=sse';
const PROMPT = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

async function start(type = 'openai-compatible', baseUrl = upstream.url): Promise<void> {
  gateway = await startSmallGateway('faults');
  gateway.channels = [
    makeChannel('c', { type, baseUrl, apiKeys: ['sk-test'], models: new Map([['m', 'plain']]) }),
  ];
}

/** The last event of a stream, as JSON. */
function readLast(text: string): unknown {
  const [last] = [...text.matchAll(/^data: (\{.*\})\r?$/gm)].slice(-1);
  return JSON.parse(last?.[1] ?? 'null') as unknown;
}

describe('an upstream that answers a stream with an error alone', () => {
  it.each([
    [{ error: { message: 'The model is loading.' } }, 502, 'The upstream failed: The model is loading.'],
    [{ error: 'CUDA out of memory' }, 502, 'The upstream failed: CUDA out of memory.'],
    [{ object: 'error', message: 'no such tool' }, 502, 'The upstream failed: no such tool.'],
    [
      { error: { message: 'Rate limit reached', type: 'rate_limit_error' } },
      503,
      'The upstream is over its rate limit. Try again later.',
    ],
    [{ error: { message: '`top_k` is too large', code: 400 } }, 400, '`top_k` is too large'],
    [
      [{ error: { code: 503, message: 'High demand.', status: 'UNAVAILABLE' } }],
      503,
      'The upstream is over its rate limit. Try again later.',
    ],
  ])('%j', async (body, status, message) => {
    await start();
    upstream.script('plain', { failure: { kind: 'reply', status: 200, body: JSON.stringify(body) } });
    const answer = await gateway.post('/v1/chat/completions', CHAT);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([status, message]);
    await expect.poll(() => gateway.log[0]?.attempts[0]?.outcome, WITHIN).toBe('failed');
  });

  it('and one that is no error is none', async () => {
    await start();
    upstream.script('plain', { failure: { kind: 'reply', status: 200, body: '<html>busy</html>' } });
    const answer = await gateway.post('/v1/chat/completions', CHAT);
    expect([answer.status, await answer.text()]).toMatchObject([502, expect.stringContaining('no event')]);
  });
});

describe('an error in mid-stream keeps its class in the dialect of the client', () => {
  const LIMITED = { error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' } };
  const OVERLOADED = { error: { message: 'Overloaded', type: 'overloaded_error' } };

  it.each([
    ['native', '/v1/chat/completions', CHAT, LIMITED, { error: { type: 'rate_limit_error' } }],
    ['native', '/v1/chat/completions', CHAT, OVERLOADED, { error: { code: 'upstream_unavailable' } }],
    ['converted', '/v1/messages', CHAT, LIMITED, { error: { type: 'rate_limit_error' } }],
    ['converted', '/v1/messages', CHAT, OVERLOADED, { error: { type: 'overloaded_error' } }],
    ['converted', GEMINI, PROMPT, LIMITED, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    ['converted', GEMINI, PROMPT, OVERLOADED, { error: { code: 503, status: 'UNAVAILABLE' } }],
  ])('%s: %s %#', async (_lane, path, request, body, shown) => {
    await start();
    upstream.script('plain', { failure: { kind: 'error-event', afterEvents: 2, body } });
    const answer = await gateway.post(path, request);
    const last = readLast(await answer.text());
    expect(last).toMatchObject(shown);
    expect(JSON.stringify(last)).toContain(body.error.message);
    await expect.poll(() => gateway.log[0]?.reason, WITHIN).toBe('upstream_failed');
  });

  it('from a channel of Messages too', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of [
        { type: 'message_start', message: {} },
        { type: 'error', ...OVERLOADED },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await start('anthropic', `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
      const answer = await gateway.post('/v1/messages', CHAT);
      expect(readLast(await answer.text())).toMatchObject({ error: { type: 'overloaded_error' } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
