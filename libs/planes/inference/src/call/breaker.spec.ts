import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChannelTimeouts, DEFAULT_TIMEOUTS } from '@mg/contract';
import { ChannelHealth } from '@mg/routing';
import { createGate } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const ANSWER = {
  id: 'r',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};
const GEMINI_ANSWER = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
};
const FIRST_EVENT = {
  id: 'r',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'yes' }, finish_reason: null }],
};
const NO_STREAM = 'no stream';
const ENDLESS = 'endless';
const GOOD = 'sk-provider-good-key-aaaa';
const BAD = 'sk-provider-gone-key-bbbb';

/** A provider of which each key, and each path, has a status of its own. */
let provider: Server;
let statusOf: (key: string, path: string) => number;
/** What it says beside a status. */
let says: string;
let details: readonly object[] | undefined;
/** How its streams go on after the first event, or end. */
let streamed: string;
/** Holds the end of its streams back. */
let streamEnd: ReturnType<typeof createGate>;
let asked: string[];
let nowMs: number;
let gateway: SmallGateway;
beforeAll(async () => {
  provider = createServer((request, response) => {
    const { authorization, 'x-goog-api-key': googleKey } = request.headers;
    const key = String(googleKey ?? authorization).replace('Bearer ', '');
    asked.push(key);
    const status = statusOf(key, request.url ?? '');
    request.resume();
    if (streamed !== NO_STREAM) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(FIRST_EVENT)}\n\n`);
      if (streamed === ENDLESS) return;
      const last = streamed === '' ? '' : `data: ${streamed}\n\n`;
      void streamEnd.wait().then(() => setImmediate(() => response.end(last)));
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
    const answer = googleKey === undefined ? ANSWER : GEMINI_ANSWER;
    response.end(JSON.stringify(status === 200 ? answer : { error: { message: says, details } }));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
beforeEach(async () => {
  asked = [];
  nowMs = performance.now();
  statusOf = () => 200;
  says = 'Something is wrong';
  details = undefined;
  streamed = NO_STREAM;
  streamEnd = createGate();
  streamEnd.open();
  gateway = await startSmallGateway('breaker', { health: new ChannelHealth(() => nowMs) });
});
afterEach(() => gateway.close());
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

function addChannel(
  name: string,
  apiKeys: readonly string[],
  priority = 0,
  facts: { readonly type?: string; readonly timeouts?: ChannelTimeouts } = {},
): void {
  const { port } = provider.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/${name}/v1`;
  gateway.channels = [
    ...gateway.channels,
    makeChannel(name, { baseUrl, apiKeys: [...apiKeys], priority, ...facts }),
  ];
}

async function ask(): Promise<number> {
  const answer = await gateway.post('/v1/chat/completions', CHAT);
  await answer.arrayBuffer();
  return answer.status;
}

const lastReasons = () => gateway.log.at(-1)?.attempts.map(({ reason }) => reason);

describe('a key that is refused', () => {
  it.each([401, 402, 403, 429])(
    'with %i is quarantined alone, and the call goes on with the other key',
    async (status) => {
      statusOf = (key) => (key === BAD ? status : 200);
      addChannel('c', [BAD, GOOD]);
      for (let call = 0; call < 6; call++) expect(await ask()).toBe(200);
      expect(asked.filter((key) => key === BAD)).toHaveLength(1);
      expect(gateway.context.health.listCooldowns()).toMatchObject([
        { key: 'sk-...bbbb', reason: expect.stringContaining(`status ${status}`) as string },
      ]);
      await expect.poll(() => gateway.log.length, WITHIN).toBe(6);
      expect(gateway.log.flatMap(({ attempts }) => attempts.map(({ reason }) => reason))).toContain(
        'priority 0, the only one, with another key',
      );
    },
  );

  it('is told from a wrong request where Google answers both with 400', async () => {
    says = 'API key not valid. Please pass a valid API key.';
    details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    statusOf = (key) => (key === BAD ? 400 : 200);
    addChannel('c', [BAD, GOOD], 0, { type: 'gemini' });
    for (let call = 0; call < 4; call++) expect(await ask()).toBe(200);
    expect(asked.filter((key) => key === BAD)).toHaveLength(1);
    expect(gateway.context.health.listCooldowns()).toMatchObject([{ key: 'sk-...bbbb', kind: 'credential' }]);
  });

  it('is tried again by one call once its time is over', async () => {
    let isRefused = true;
    statusOf = (key) => (key === BAD && isRefused ? 401 : 200);
    addChannel('c', [BAD, GOOD]);
    await ask();
    isRefused = false;
    nowMs += 60_001;
    for (let call = 0; call < 4; call++) expect(await ask()).toBe(200);
    expect(asked.filter((key) => key === BAD).length).toBeGreaterThan(1);
    expect(gateway.context.health.isQuiet).toBe(true);
  });

  it('takes its channel along when it is the only one', async () => {
    statusOf = (_key, path) => (path.startsWith('/first') ? 401 : 200);
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 4; call++) expect(await ask()).toBe(200);
    expect(asked.filter((key) => key === BAD)).toHaveLength(1);
  });
});

describe('a channel that fails', () => {
  it('is left out after five failures, then probed by one call, and is back when that succeeds', async () => {
    let isBroken = true;
    statusOf = (_key, path) => (path.startsWith('/first') && isBroken ? 500 : 200);
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 8; call++) expect(await ask()).toBe(200);
    expect(asked.filter((key) => key === BAD)).toHaveLength(5);
    isBroken = false;
    nowMs += 30_001;
    await ask();
    await expect.poll(lastReasons, WITHIN).toEqual(['priority 1, the only one, a probe']);
    expect(gateway.context.health.isQuiet).toBe(true);
  });

  it('is asked all the same when no other is left', async () => {
    statusOf = () => 500;
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 6; call++) expect(await ask()).toBe(502);
    expect(gateway.context.health.listCooldowns()).toHaveLength(2);
    statusOf = () => 200;
    expect(await ask()).toBe(200);
  });

  it('T24: is not blamed for what its callers get wrong', async () => {
    statusOf = () => 400;
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 20; call++) expect(await ask()).toBe(400);
    expect(gateway.context.health.isQuiet).toBe(true);
    expect(new Set(asked)).toEqual(new Set([BAD]));
  });

  it.each([
    [403, 'You do not have permission to access the File mine or it may not exist.'],
    [404, 'File not found: model_deployment_not_found'],
    [409, 'The conversation is being changed by another request.'],
    [424, "Error retrieving tool list from MCP server: 'mine'."],
  ])('T24: is not blamed for what its callers name, %i %s', async (status, words) => {
    says = words;
    statusOf = () => status;
    gateway.context.retries.take = () => {
      throw new Error('a retry was taken from the budget');
    };
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 6; call++) {
      const answer = await gateway.post('/v1/chat/completions', CHAT);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { message: words } });
    }
    expect(gateway.context.health.isQuiet).toBe(true);
    expect(gateway.context.attempts.take()).toEqual([]);
    expect(asked).toHaveLength(12);
  });

  it.each([
    [404, 'The model `m` does not exist or you do not have access to it.'],
    [404, 'Your account 2106 has not activated the model m. Please activate it in the Ark Console.'],
    [404, 'Cannot POST /v1/chat/completions'],
    [410, 'Gone'],
  ])('is blamed for a model or a path that it does not have, %i %s', async (status, words) => {
    says = words;
    statusOf = (_key, path) => (path.startsWith('/first') ? status : 200);
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 6; call++) expect(await ask()).toBe(200);
    expect(asked.filter((key) => key === BAD)).toHaveLength(5);
    gateway.channels = gateway.channels.slice(0, 1);
    const answer = await gateway.post('/v1/chat/completions', CHAT);
    expect([answer.status, (await answer.text()).includes(words)]).toEqual([502, false]);
  });

  it('answers for its failure where the next one has not what the request names', async () => {
    says = 'No such File object: file-abc';
    statusOf = (_key, path) => (path.startsWith('/first') ? 503 : 404);
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    expect(await ask()).toBe(502);
    expect(asked).toEqual([BAD, GOOD]);
  });

  const STREAMED = { ...CHAT, stream: true };
  const askForStream = async () => (await gateway.post('/v1/chat/completions', STREAMED)).text();

  it.each([
    ['ends early', '', 'its stream ended early'],
    ['ends with an error', '{"error":{"message":"It crashed.","type":"server_error"}}', 'It crashed.'],
  ])('is left out after five streams in a row that it %s', async (_how, last, reason) => {
    streamed = last;
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (let call = 0; call < 5; call++) expect(await askForStream()).toContain('upstream_error');
    await expect.poll(() => gateway.context.health.listCooldowns(), WITHIN).toMatchObject([{ reason }]);
    expect(asked.filter((key) => key === GOOD)).toEqual([]);
    const figures = gateway.context.attempts.take();
    expect(figures).toMatchObject([{ served: 0, failed: 5, lastFailure: { reason } }]);
    await expect.poll(() => gateway.log.length, WITHIN).toBe(5);
    expect(gateway.log[0]?.attempts).toMatchObject([
      { outcome: 'failed', reason: `priority 1, the only one; broke off after it had begun: ${reason}` },
    ]);
    streamed = '[DONE]';
    nowMs += 30_001;
    await askForStream();
    await expect.poll(() => gateway.context.health.isQuiet, WITHIN).toBe(true);
    expect(gateway.context.attempts.take()).toMatchObject([{ served: 1, failed: 0 }]);
  });

  it('keeps its place when streams go on for longer than a call may take', async () => {
    streamed = ENDLESS;
    addChannel('first', [BAD], 1, { timeouts: { ...DEFAULT_TIMEOUTS, totalMs: 200 } });
    addChannel('second', [GOOD]);
    for (let call = 0; call < 5; call++) expect(await askForStream()).toContain('no whole answer within');
    await expect.poll(() => gateway.log.length, WITHIN).toBe(5);
    expect(gateway.context.health.isQuiet).toBe(true);
    expect(gateway.context.attempts.take()).toEqual([]);
  });

  it('keeps its place when streams say that the caller is at fault, and rests its key when they say that it is limited', async () => {
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    for (const error of [
      { message: 'Invalid prompt: it was flagged.', code: 'invalid_prompt' },
      { message: 'Rejected by our usage policies.', type: 'server_error' },
      { message: 'Too long.', type: 'invalid_request_error' },
    ]) {
      streamed = JSON.stringify({ error });
      for (let call = 0; call < 5; call++) await askForStream();
    }
    await expect.poll(() => gateway.log.length, WITHIN).toBe(15);
    expect(gateway.context.health.isQuiet).toBe(true);
    expect(gateway.context.attempts.take()).toEqual([]);
    streamed = '{"error":{"message":"Slow down.","type":"rate_limit_error"}}';
    await askForStream();
    await expect
      .poll(() => gateway.context.health.listCooldowns(), WITHIN)
      .toMatchObject([{ kind: 'limited', key: 'sk-...bbbb' }]);
  });

  it('keeps its pause when a stream ends well that began before the pause was asked for', async () => {
    addChannel('only', [BAD]);
    streamed = '[DONE]';
    streamEnd = createGate();
    const early = await gateway.post('/v1/chat/completions', STREAMED);
    streamed = NO_STREAM;
    statusOf = () => 429;
    nowMs += 1;
    expect(await ask()).toBe(503);
    streamEnd.open();
    expect(await early.text()).toContain('[DONE]');
    await expect.poll(() => gateway.log.length, WITHIN).toBe(2);
    expect(gateway.context.health.listCooldowns()).toMatchObject([
      { kind: 'limited', cooldownMs: expect.closeTo(7_000) },
    ]);
  });

  it('is waited for when every upstream asked for a pause', async () => {
    statusOf = () => 429;
    addChannel('first', [BAD], 1);
    addChannel('second', [GOOD]);
    expect(await ask()).toBe(503);
    const answer = await gateway.post('/v1/chat/completions', CHAT);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3);
    expect(asked).toHaveLength(2);
  });
});
