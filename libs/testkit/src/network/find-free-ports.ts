import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Systems give outgoing connections ports above these: none of them can take one before it is used. */
const FIRST_PORT = 20_000;
const PORTS_OF_A_WORKER = 1_000;
const WORKERS = 12;

/** Of the worker's ports, the one to be tried next: begins anywhere, since processes of the file before may be ending. */
let next = randomInt(PORTS_OF_A_WORKER);

/**
 * Ports of the loopback address that nobody listens on. Workers of the test runner have ports of their own, and give each in
 * turn: what was given and is not used yet is given to nobody else, in tests that run at the same time neither.
 */
export async function findFreePorts(count: number): Promise<number[]> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS;
  const first = FIRST_PORT + worker * PORTS_OF_A_WORKER;
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = first + (next++ % PORTS_OF_A_WORKER);
    const server = await tryListening(port);
    if (server) servers.set(port, server);
  }
  await Promise.all([...servers.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  return [...servers.keys()];
}

function tryListening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
