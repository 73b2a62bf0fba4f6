import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { formatUsd, omitUndefined } from '@mg/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20, stream: true };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  [upstream, gateway] = await Promise.all([startFakeUpstream(), startSmallGateway('costs')]);
  const models = new Map([['m', 'plain']]);
  gateway.channels = [makeChannel('c', { baseUrl: upstream.url, apiKeys: ['sk-test'], models })];
});
afterAll(() => Promise.all([gateway.close(), upstream.close()]));

/** The bytes of an answer: what reads trailers is rare. */
async function ask(headers: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  const body = JSON.stringify(CHAT);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: g\r\nConnection: close\r\nAuthorization: Bearer ${gateway.key}\r\n` +
      `${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  await once(socket, 'close');
  return text;
}

describe('clients 10: the cost of a stream', () => {
  it('comes behind it, for clients that take trailers', async () => {
    const text = await ask('TE: trailers\r\n');
    const [, cost = ''] = /\r\n0\r\nx-gateway-cost: (0\.\d+)\r\n\r\n$/.exec(text) ?? [];
    expect(Number(cost)).toBeGreaterThan(0);
    expect(text).toMatch(/\r\ntrailer: x-gateway-cost\r\n/i);
  });

  it('does not come to those who did not ask', async () => {
    const text = await ask('');
    expect(text).toMatch(/\r\n0\r\n\r\n$/);
    expect(text).not.toMatch(/trailer/i);
  });
});

describe('x-gateway-cost: 1', () => {
  const SHOWN = { 'x-gateway-cost': '1' };
  const GOOGLE = '/v1beta/models/m:streamGenerateContent';
  const GOOGLE_CHAT = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

  beforeEach(() => {
    serve('plain');
  });

  function serve(behaviour: string) {
    const models = new Map([['m', behaviour]]);
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, apiKeys: ['sk-test'], models })];
  }

  /** A channel that streams these pieces, each by itself. */
  async function serveStream(pieces: readonly string[]) {
    const answer = async (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const piece of pieces) {
        await new Promise((written) => void response.write(piece, written));
        await new Promise(setImmediate);
      }
      response.end();
    };
    const server = createServer((request, response) => {
      request.resume().once('end', () => void answer(response));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const models = new Map([['m', 'plain']]);
    const baseUrl = `http://127.0.0.1:${port}`;
    gateway.channels = [makeChannel('own', { baseUrl, apiKeys: ['sk-test'], models })];
  }

  /** The text of an answer, and the row that its call left in the log. */
  async function read(path: string, body: object, headers: Record<string, string> = SHOWN) {
    const answer = await gateway.post(path, body, headers);
    const text = await answer.text();
    const requestId = answer.headers.get('x-request-id');
    const find = () => gateway.log.find((row) => row.requestId === requestId);
    await expect.poll(find).toBeDefined();
    return { text, row: find() };
  }

  it.each([
    ['as it is', '/v1/chat/completions', CHAT],
    ['with usage asked for', '/v1/chat/completions', { ...CHAT, stream_options: { include_usage: true } }],
    ['converted', '/v1/messages', CHAT],
    ['of the Responses API', '/v1/responses', { model: 'm', input: 'hi', stream: true, store: false }],
    ['of Google', `${GOOGLE}?alt=sse`, GOOGLE_CHAT],
  ])('shows the cost of a stream beside its usage, once, as it is charged: %s', async (_name, path, body) => {
    const { text, row } = await read(path, body);
    const costs = [...text.matchAll(/"gateway_cost":"(0\.\d+)"/g)].map(([, cost]) => cost);
    expect(costs).toEqual([formatUsd(row?.cost ?? 0n)]);
    const charged = gateway.journal.find(({ requestId }) => requestId === row?.requestId);
    expect(charged).toMatchObject({ phase: 'usage', usage: row?.usage });
    const events = text.split(/\r?\n\r?\n/).filter((event) => event.startsWith('data: {'));
    for (const event of events) JSON.parse(event.slice('data: '.length));
    // Ids and times are those of each call.
    const normal = (one: string) =>
      one.replaceAll(/"(?:id|item_id|created\w*|completed_at|responseId)":(?:"[^"]*"|\d+)/g, '');
    const same = {
      ...body,
      ...omitUndefined({
        stream_options: path.endsWith('completions') ? { include_usage: true } : undefined,
      }),
    };
    const { text: without } = await read(path, same, {});
    expect(normal(text.replace(/"gateway_cost":"[\d.]+",?/, ''))).toBe(normal(without));
  });

  it('changes nothing of what has no usage event to put it in: whole answers, arrays and failed streams', async () => {
    const whole = await read('/v1/chat/completions', { ...CHAT, stream: false });
    const array = await read(GOOGLE, GOOGLE_CHAT);
    serve('end-in-stream');
    const failed = await read('/v1/chat/completions', CHAT);
    expect(failed.row?.cost).toBe(0n);
    for (const { text } of [whole, array, failed]) expect(text).not.toContain('gateway_cost');
    JSON.parse(array.text);
  });

  it('says what a repeated answer costs, not what the first one did', async () => {
    const cached = { ...SHOWN, 'x-gateway-cache': '60s' };
    const first = await read('/v1/chat/completions', CHAT, cached);
    const again = await read('/v1/chat/completions', CHAT, cached);
    const other = await read('/v1/chat/completions', CHAT, { 'x-gateway-cache': '60s' });
    expect(again.row).toMatchObject({ reason: 'cached', cost: 0n });
    expect(again.text).toBe(first.text.replace(/"gateway_cost":"[\d.]+"/, '"gateway_cost":"0"'));
    expect(other.text).not.toContain('gateway_cost');
  });

  const choose = (index: number, finish: string | null, content = '') =>
    `data: {"choices":[{"index":${index},"delta":{"content":"${content}"},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
  const USED = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';
  const SHOWN_USED = /"usage":{"gateway_cost":"0\.\d+","prompt_tokens":1,"completion_tokens":2}/;
  const FAULT = 'data: {"error":{"message":"It broke.","type":"server_error"}}\n\n';

  it('holds an end back that is longer than it may hold, in its order', async () => {
    const long = Array.from({ length: 40 }, (_, at) => choose(1, null, String(at).padStart(8_192, '.')));
    const pieces = [choose(0, 'stop'), ...long, choose(1, 'stop'), USED, 'data: [DONE]\n\n'];
    await serveStream(pieces);
    const { text, row } = await read('/v1/chat/completions', { ...CHAT, n: 2 });
    expect(text.replace(SHOWN_USED, '"usage":{"prompt_tokens":1,"completion_tokens":2}')).toBe(
      pieces.join(''),
    );
    expect(text).toMatch(SHOWN_USED);
    expect(row?.reason).toBe('completed');
  });

  it('gives what it held back before the error of an upstream, without a cost', async () => {
    await serveStream([choose(0, null, 'hi'), choose(0, 'stop'), USED, FAULT]);
    const { text, row } = await read('/v1/chat/completions', CHAT);
    expect(row).toMatchObject({ cost: 0n, errorCode: 'upstream_error' });
    const at = ['"hi"', '"stop"', 'completion_tokens', 'upstream_error'].map((mark) => text.indexOf(mark));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThan(0);
    expect(text).not.toContain('gateway_cost');
  });

  it('shows several answers whole, of which one ends before the others', async () => {
    const { text } = await read('/v1/chat/completions', { ...CHAT, n: 3 });
    expect(text.match(/"finish_reason":"\w+"/g)).toHaveLength(3);
    expect(text.match(/gateway_cost/g)).toHaveLength(1);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

it.each(['/', '/api/hello'])('clients: %s is answered without a key', async (path) => {
  for (const method of ['HEAD', 'GET']) {
    expect((await fetch(gateway.url + path, { method })).status).toBe(200);
  }
});
