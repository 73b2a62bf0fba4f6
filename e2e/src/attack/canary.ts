import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on the loopback address that nothing of the gateway may ever reach. */
export interface Canary {
  /** Address with a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Connections that were made to it. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  let connections = 0;
  const server = createServer((_request, response) => void response.writeHead(200).end('{}'));
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    get connections() {
      return connections;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
