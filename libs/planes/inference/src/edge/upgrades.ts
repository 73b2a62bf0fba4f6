import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { GatewayError } from '@mg/contract';
import { WebSocketPeer } from '@mg/transport';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { WebSocketServer } from 'ws';
import { takeOver } from './limit-headers.js';

/** Longest message of a client: sixteen seconds of uncompressed audio, or an image of 700 KB. */
export const MAX_MESSAGE_BYTES = 1024 * 1024;
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';
/** Names of RFC 9110 with commas between them. */
const PROTOCOLS = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;
/** What Fastify has set for answers that are no upgrade. */
const OF_BODIES: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'connection',
  'transfer-encoding',
]);

/** A connection that its client wants to speak WebSocket on, and what it has sent already. */
interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

const UPGRADES = new WeakMap<IncomingMessage, Upgrade>();

/** What may stand in no header. */
const UNSAFE = /[^\x20-\x7e]/g;

/** Subprotocols that are spoken; others, such as those that carry a key, are not answered with. */
const SUBPROTOCOLS = ['realtime'];

const SOCKETS = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  handleProtocols: (offered) => SUBPROTOCOLS.find((name) => offered.has(name)) ?? false,
});

/** Whether a request is for a path that speaks WebSocket. Any other wish to upgrade is passed over, as HTTP allows. */
export function wantsUpgrade(
  { method, url = '', headers }: IncomingMessage,
  paths: ReadonlySet<string>,
): boolean {
  const [path = ''] = trimSlashes(url).split('?', 1);
  return method === 'GET' && paths.has(path) && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Has requests for a WebSocket answered by their routes, as all others are: by the hooks before them, and with an error of HTTP
 * until `acceptUpgrade`.
 */
export function routeUpgrades(fastify: FastifyInstance, server: Server): void {
  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    const socket = stream as Socket;
    // Node has taken its own listeners off, and an error that nobody hears ends the process.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    UPGRADES.set(request, { socket, head });
    request.url = trimSlashes(request.url ?? '');
    fastify.routing(request, response);
  });
}

/** Google's SDK for JavaScript puts the path behind an address that ends with a slash. */
function trimSlashes(url: string): string {
  return url.replace(/^\/{2,}/, '/');
}

/** @throws GatewayError `invalid_request` for a request that is no WebSocket handshake of RFC 6455. */
export function checkUpgrade(request: IncomingMessage): void {
  if (!UPGRADES.has(request)) {
    throw new GatewayError('invalid_request', 'This path speaks WebSocket: send "Upgrade: websocket".', {
      param: 'Upgrade',
    });
  }
  const { headers } = request;
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = headers;
  if (version !== VERSION) {
    throw new GatewayError('invalid_request', `Sec-WebSocket-Version: must be ${VERSION}.`, {
      param: 'Sec-WebSocket-Version',
    });
  }
  if (key === undefined || !KEY.test(key)) {
    throw new GatewayError('invalid_request', 'Sec-WebSocket-Key: must be 16 bytes in base64.', {
      param: 'Sec-WebSocket-Key',
    });
  }
  const protocols = headers['sec-websocket-protocol'];
  // Not by an expression that skips spaces: 16 KB of them would take it a quarter of a second.
  const names = protocols?.split(',').map((name) => name.trim()) ?? [];
  if (protocols !== undefined && (!PROTOCOLS.test(protocols) || new Set(names).size < names.length)) {
    throw new GatewayError('invalid_request', 'Sec-WebSocket-Protocol: must be different names.', {
      param: 'Sec-WebSocket-Protocol',
    });
  }
}

/** Whether the client has left before it was answered. */
export function hasLeft(request: IncomingMessage): boolean {
  return UPGRADES.get(request)?.socket.destroyed ?? true;
}

/** Calls back if the client leaves before it is answered. @returns what stops that. */
export function watchLeaving(request: IncomingMessage, gone: () => void): () => void {
  const socket = UPGRADES.get(request)?.socket;
  socket?.once('close', gone);
  return () => void socket?.off('close', gone);
}

/**
 * Answers 101, with the headers that the reply has: from here on the connection is the peer's.
 *
 * @returns `undefined` where the client has left.
 */
export function acceptUpgrade(request: IncomingMessage, reply: FastifyReply): WebSocketPeer | undefined {
  const upgrade = UPGRADES.get(request);
  if (!upgrade) throw new Error('The request is no upgrade.');
  const { socket, head } = upgrade;
  const headers = Object.entries(takeOver(reply))
    .filter(([name, value]) => value !== undefined && !OF_BODIES.has(name))
    .map(([name, value]) => `${name}: ${String(value).replaceAll(UNSAFE, '?')}`);
  reply.raw.detachSocket(socket);
  let peer: WebSocketPeer | undefined;
  const write = (lines: string[]) => void lines.push(...headers);
  SOCKETS.once('headers', write);
  // Calls back at once: nobody else is asked whether the client may.
  SOCKETS.handleUpgrade(request, socket, head, (webSocket) => (peer = new WebSocketPeer(webSocket)));
  SOCKETS.off('headers', write);
  return peer;
}
