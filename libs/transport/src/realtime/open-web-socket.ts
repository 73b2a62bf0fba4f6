import type { IncomingMessage } from 'node:http';
import { addHop, HOPS_HEADER } from '@mg/contract';
import { WebSocket } from 'ws';
import { explainFailure } from '../upstream/explain-failure.js';
import { UpstreamFailure } from '../upstream/upstream-call.js';
import type { Peer } from './peer.js';
import { WebSocketPeer } from './web-socket-peer.js';

/** Longest message of an upstream: an item comes back as it was sent, with its image. */
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;

/** Where a session is opened. */
export interface WebSocketRequest {
  /** Of `http:` or `https:`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Until the upstream has answered the handshake, in milliseconds. */
  readonly openMs: number;
  /** Name of this installation, and the gateways that the session came through before. */
  readonly installation: string;
  readonly hops: string | undefined;
  /** Calls the attempt off. */
  readonly signal: AbortSignal;
}

/** An upstream that answered the handshake with something else. */
export interface RefusedUpgrade {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * Opens a WebSocket to an upstream, without compression.
 *
 * @throws UpstreamFailure where it cannot be reached, or does not answer in time.
 */
export function openWebSocket(request: WebSocketRequest): Promise<Peer | RefusedUpgrade> {
  const { url, headers, openMs, installation, hops, signal } = request;
  const address = new URL(url);
  address.protocol = url.protocol === 'https:' || url.protocol === 'wss:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(address, {
    headers: { ...headers, [HOPS_HEADER]: addHop(hops, installation) },
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: openMs,
    followRedirects: false,
  });
  return new Promise((resolve, reject) => {
    const abort = () => socket.terminate();
    signal.addEventListener('abort', abort, { once: true });
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', abort);
      reject(
        signal.aborted ? new UpstreamFailure('aborted', 'the call was ended by the gateway') : explain(error),
      );
    };
    socket.once('error', fail);
    socket.once('unexpected-response', (_request, response) => {
      readRefusal(response)
        .then(resolve, fail)
        .finally(() => {
          signal.removeEventListener('abort', abort);
          socket.terminate();
        });
    });
    socket.once('open', () => {
      signal.removeEventListener('abort', abort);
      resolve(new WebSocketPeer(socket));
    });
  });
}

/** The package names its own limit in words alone. */
function explain(error: unknown): UpstreamFailure {
  const isLate = error instanceof Error && error.message === 'Opening handshake has timed out';
  return isLate
    ? new UpstreamFailure('timeout', 'the upstream did not answer in time')
    : explainFailure(error);
}

async function readRefusal(response: IncomingMessage): Promise<RefusedUpgrade> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  const body = Buffer.concat(chunks).subarray(0, MAX_ERROR_BYTES).toString('utf8');
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
