import { connect } from 'node:net';
import { once } from 'node:events';
import { type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

it.each(['/', '/api/hello'])('clients: %s is answered without a key', async (path) => {
  for (const method of ['HEAD', 'GET']) {
    expect((await fetch(gateway.url + path, { method })).status).toBe(200);
  }
});
