import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { errorBody } from '../failures.js';
import { LiveSession } from './live-session.js';
import { RealtimeSession } from './realtime-session.js';

const PATH = /\/realtime$/;
const LIVE_PATH =
  /^\/ws\/google\.ai\.generativelanguage\.v1(?:beta|alpha)?\.GenerativeService\.BidiGenerateContent$/;

/** Sessions over WebSockets: of the Realtime API, and of the Live API. */
export interface FakeRealtime {
  readonly sessions: readonly RealtimeSession[];
  readonly liveSessions: readonly LiveSession[];
  reset(): void;
  close(): void;
}

/** Serves the Realtime API and the Live API beside the fake upstream's other endpoints. */
export function serveRealtime(server: Server, acceptedKeys: readonly string[] | undefined): FakeRealtime {
  const sockets = new WebSocketServer({ noServer: true });
  let sessions: RealtimeSession[] = [];
  let liveSessions: LiveSession[] = [];
  server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const { authorization, 'api-key': azureKey, 'x-goog-api-key': googleKey } = request.headers;
    const key = authorization?.replace(/^Bearer /, '') ?? String(googleKey ?? azureKey);
    const isLive = LIVE_PATH.test(url.pathname);
    const isKnown = !acceptedKeys || acceptedKeys.includes(key);
    if (!isKnown || (!isLive && !PATH.test(url.pathname))) {
      const body = JSON.stringify(
        errorBody('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
      );
      const status = isKnown ? '404 Not Found' : '401 Unauthorized';
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
      if (isLive) {
        liveSessions.push(new LiveSession(request.headers, request.url ?? '', webSocket));
        return;
      }
      const model = url.searchParams.get('model') ?? '';
      sessions.push(new RealtimeSession(model, request.headers, request.url ?? '', webSocket));
    });
  });
  return {
    get sessions() {
      return sessions;
    },
    get liveSessions() {
      return liveSessions;
    },
    reset: () => {
      sessions = [];
      liveSessions = [];
    },
    close: () => {
      for (const webSocket of sockets.clients) webSocket.terminate();
    },
  };
}
