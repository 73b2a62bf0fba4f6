import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Load balancers and clients that keep connections open send on them until they have been told not to. */
const LEAVE_MS = 1_000;
const SWEEP_MS = 50;
/** Who has connected and sent nothing for so long has no request under way: browsers and pools connect ahead of need. */
const SILENT_MS = 1_000;
/** A process that always has much to do, or always somebody to let in, closes its door after so long. */
const QUIET_WITHIN_MS = 1_000;
const SHORT_TURN_MS = 0.5;

/**
 * Options of a Fastify whose `close()` drains: a request that still arrives is served, and told that its connection
 * closes, instead of being refused with a 503 of Fastify's own.
 */
export const DRAINING = { return503OnClosing: false } as const;

/**
 * Lets `close()` lose no request and still end promptly. While anybody is connected, requests are taken for a moment
 * more, each answered with `Connection: close`. Then nobody new is let in, connections that carry no request are closed while
 * requests in flight finish, and whatever still runs after the grace period is cut.
 */
export function drainConnectionsOnClose(fastify: FastifyInstance, graceMs: number): void {
  const { server } = fastify;
  const closeSilent = watchSilentConnections(server);
  fastify.addHook('preClose', async () => {
    if ((await countConnections(server)) > 0) await sleep(LEAVE_MS);
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      closeSilent();
    }, SWEEP_MS);
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
    // Connections that wait to be accepted are lost with the listening socket, which Fastify would close some turns later.
    await waitUntilAllAreAccepted(server);
    server.close();
  });
}

/** Node counts a connection as idle only after its first request. @returns what closes those that have sent nothing. */
function watchSilentConnections(server: Server): () => void {
  const connectedMs = new Map<Socket, number>();
  server.on('connection', (socket) => {
    connectedMs.set(socket, performance.now());
    socket.once('close', () => connectedMs.delete(socket));
  });
  return () => {
    const beforeMs = performance.now() - SILENT_MS;
    for (const [socket, sinceMs] of connectedMs) {
      if (sinceMs < beforeMs && socket.bytesRead === 0) socket.destroy();
    }
  };
}

/**
 * Waits for a turn of the event loop that accepted nobody and took next to no time: nobody waited at its poll, and hardly anybody
 * can have come since. A poll accepts one connection only, so after a busy moment several wait for turns of their own.
 */
async function waitUntilAllAreAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const onConnection = () => accepted++;
  server.on('connection', onConnection);
  const deadlineMs = performance.now() + QUIET_WITHIN_MS;
  let isQuiet = false;
  while (!isQuiet && performance.now() < deadlineMs) {
    const startedMs = performance.now();
    const acceptedBefore = accepted;
    await nextTurn();
    isQuiet = accepted === acceptedBefore && performance.now() - startedMs < SHORT_TURN_MS;
  }
  server.off('connection', onConnection);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}
