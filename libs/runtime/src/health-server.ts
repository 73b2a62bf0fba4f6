import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from '@mg/contract';
import type { Registry } from 'prom-client';
import { metricsStatus } from './metrics.js';
import { writeMetrics } from './write-metrics.js';

export interface HealthServerOptions {
  readonly host: string;
  readonly port: number;
  readonly environment: Environment;
  readonly metrics: Registry;
  /** Why the plane cannot do its work now, or `undefined` when it can. */
  readonly unready: () => string | undefined | Promise<string | undefined>;
}

export interface HealthServer {
  readonly address: string;
  close(): Promise<void>;
}

/** Health and metrics for a plane that serves no other HTTP: `/healthz`, `/readyz`, `/metrics`. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(options, request, response).catch(() => response.writeHead(500).end());
  });
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${options.host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

async function answer(
  options: HealthServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url?.split('?')[0];
  if (request.method !== 'GET') return sendJson(response, 405, { detail: 'Only GET is served here.' });
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') {
    const reason = await options.unready();
    return reason === undefined
      ? sendJson(response, 200, { status: 'ready' })
      : sendJson(response, 503, { status: 'unready', detail: reason });
  }
  if (path === '/metrics') {
    const status = metricsStatus(options.environment, request.headers.authorization);
    if (status !== 200) {
      return sendJson(response, status, {
        detail: status === 401 ? 'The metrics token is wrong.' : 'Not found.',
      });
    }
    response.writeHead(200, { 'content-type': options.metrics.contentType });
    response.end(await writeMetrics(options.metrics));
    return;
  }
  sendJson(response, 404, { detail: 'Not found.' });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
