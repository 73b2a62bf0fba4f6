import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What lies beyond the gateway, for programs that are to call nothing but it: refuses every call, and notes where it was to go. */
export interface Outside {
  /** Variables by which programs send there whatever does not go to the loopback address. */
  readonly env: Readonly<Record<string, string>>;
  /** Hosts that were called since the last time. */
  takeHosts(): readonly string[];
  close(): void;
}

export async function openOutside(): Promise<Outside> {
  let hosts = new Set<string>();
  const server = createServer((request, response) => {
    hosts.add(request.url ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    hosts.add(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loopback = '127.0.0.1,localhost';
  return {
    env: {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      ALL_PROXY: url,
      NO_PROXY: loopback,
      http_proxy: url,
      https_proxy: url,
      all_proxy: url,
      no_proxy: loopback,
    },
    takeHosts() {
      const taken = [...hosts];
      hosts = new Set();
      return taken;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
