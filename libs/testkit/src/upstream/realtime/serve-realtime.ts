import type { IncomingMessage, Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { errorBody } from '../failures.js';
import { RealtimeSession } from './realtime-session.js';

const PATH = /\/realtime$/;

/** Sessions over WebSockets at the server's `/realtime`. */
export interface FakeRealtime {
  readonly sessions: readonly RealtimeSession[];
  reset(): void;
  close(): void;
}

/** Serves the Realtime API beside the fake upstream's other endpoints. */
export function serveRealtime(server: Server, acceptedKeys: readonly string[] | undefined): FakeRealtime {
  const sockets = new WebSocketServer({ noServer: true });
  let sessions: RealtimeSession[] = [];
  server.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://fake');
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? String(request.headers['api-key']);
    const isKnown = !acceptedKeys || acceptedKeys.includes(key);
    if (!isKnown || !PATH.test(url.pathname)) {
      const body = JSON.stringify(
        errorBody('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
      );
      const status = isKnown ? '404 Not Found' : '401 Unauthorized';
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket: WebSocket) => {
      const model = url.searchParams.get('model') ?? '';
      sessions.push(new RealtimeSession(model, request.headers, request.url ?? '', webSocket));
    });
  });
  return {
    get sessions() {
      return sessions;
    },
    reset: () => {
      sessions = [];
    },
    close: () => {
      for (const webSocket of sockets.clients) webSocket.terminate();
    },
  };
}
