import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openWebSocket } from './open-web-socket.js';
import type { Peer, PeerClose } from './peer.js';
import { type PeerTimes, WebSocketPeer } from './web-socket-peer.js';

const NEVER = new AbortController().signal;
const LARGE = 'x'.repeat(400 * 1024);

let server: Server;
let sockets: WebSocketServer;
let url: URL;
beforeEach(async () => {
  server = createServer((_request, response) => response.writeHead(429, { 'retry-after': '7' }).end('slow'));
  sockets = new WebSocketServer({ noServer: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(() => {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  server.close();
});

function accept(): void {
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      sockets.emit('connection', webSocket, request),
    );
  });
}

/** A peer, and the socket that is its partner. */
async function pair(times: PeerTimes = {}): Promise<{ peer: WebSocketPeer; partner: WebSocket }> {
  accept();
  const partner = new WebSocket(url.href.replace('http', 'ws'));
  partner.on('error', () => undefined);
  const [own] = (await once(sockets, 'connection')) as [WebSocket];
  const peer = new WebSocketPeer(own, times);
  await once(partner, 'open');
  return { peer, partner };
}

/** Notes what a peer gets. */
function watch(peer: Peer, take: (text: string) => void | Promise<void> = () => undefined) {
  const seen: { messages: string[]; close: PeerClose | undefined } = { messages: [], close: undefined };
  peer.listen({
    message: (bytes) => {
      seen.messages.push(bytes.toString());
      return take(bytes.toString());
    },
    closed: (close) => void (seen.close = close),
  });
  return seen;
}

describe('a partner behind a WebSocket', () => {
  it('is read one message after another, what came before the first look too, and its end last', async () => {
    const { peer, partner } = await pair();
    for (const text of ['a', 'b', 'c']) partner.send(text);
    partner.close(4321, 'bye');
    const gate = Promise.withResolvers<void>();
    const seen = watch(peer, (text) => (text === 'a' ? gate.promise : undefined));
    await expect.poll(() => seen.messages).toEqual(['a']);
    expect(seen.close).toBeUndefined();
    gate.resolve();
    await expect
      .poll(() => seen)
      .toEqual({ messages: ['a', 'b', 'c'], close: { code: 4321, reason: 'bye' } });
  });

  it('that is not read is not sent to without end', async () => {
    const { peer, partner } = await pair();
    const gate = Promise.withResolvers<void>();
    watch(peer, () => gate.promise);
    for (let message = 0; message < 200; message++) partner.send(LARGE);
    // What neither side's system takes any more waits with the sender.
    await expect.poll(() => partner.bufferedAmount).toBeGreaterThan(10 * 1024 * 1024);
    gate.resolve();
    await expect.poll(() => partner.bufferedAmount).toBe(0);
  });

  it('that does not read is waited for, and cut off in the end', async () => {
    const { peer, partner } = await pair({ stalledMs: 200 });
    const seen = watch(peer);
    partner.pause();
    let sent = 0;
    while (seen.close === undefined && sent++ < 200) {
      await peer.send(LARGE);
      await nextTurn();
    }
    await expect.poll(() => seen.close?.reason).toContain('it took no message for 200 ms');
    expect(sent).toBeLessThan(200);
  });

  it('of which nothing is heard is cut off', async () => {
    const { peer, partner } = await pair({ pingMs: 20, silentMs: 100 });
    const seen = watch(peer);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // It answers pings by itself, until it is frozen.
    expect(seen.close).toBeUndefined();
    partner.pause();
    await expect.poll(() => seen.close?.reason).toContain('nothing came from it for 100 ms');
  });

  it('that sends too long a message, or no text, is refused', async () => {
    accept();
    sockets.options.maxPayload = 1_000;
    const partner = new WebSocket(url.href.replace('http', 'ws'));
    partner.on('error', () => undefined);
    const [own] = (await once(sockets, 'connection')) as [WebSocket];
    const seen = watch(new WebSocketPeer(own));
    await once(partner, 'open');
    partner.send('x'.repeat(1_001));
    const [code] = (await once(partner, 'close')) as [number];
    expect([code, seen.messages]).toEqual([1009, []]);
    await expect.poll(() => seen.close?.reason).toContain('Max payload size exceeded');
  });
});

describe('opening a WebSocket', () => {
  const request = {
    headers: { authorization: 'Bearer k' },
    openMs: 5_000,
    installation: 'i',
    hops: undefined,
  };

  it('names the gateways on the way, and asks for no compression', async () => {
    accept();
    server.once('upgrade', ({ headers }) => {
      expect(headers).toMatchObject({
        authorization: 'Bearer k',
        'x-gateway-hops': expect.stringContaining('i'),
      });
      expect(headers['sec-websocket-extensions']).toBeUndefined();
    });
    const opened = await openWebSocket({ ...request, url, signal: NEVER });
    expect(opened).toBeInstanceOf(WebSocketPeer);
    (opened as Peer).close(1000, '');
  });

  it('answers with what an upstream said instead', async () => {
    const opened = await openWebSocket({ ...request, url, signal: NEVER });
    expect(opened).toMatchObject({ status: 429, body: 'slow', headers: { 'retry-after': '7' } });
  });

  it('fails where nobody listens, where nobody answers in time, and where it is called off', async () => {
    const closed = new URL('http://127.0.0.1:1/');
    await expect(openWebSocket({ ...request, url: closed, signal: NEVER })).rejects.toMatchObject({
      kind: 'unreachable',
    });
    server.on('upgrade', () => undefined);
    await expect(openWebSocket({ ...request, url, openMs: 100, signal: NEVER })).rejects.toMatchObject({
      kind: 'timeout',
    });
    const controller = new AbortController();
    const opening = openWebSocket({ ...request, url, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(opening).rejects.toMatchObject({ kind: 'aborted' });
  });
});
