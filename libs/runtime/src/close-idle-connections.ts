import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 50;

/**
 * Lets `close()` end promptly: keep-alive sockets that carry no request are closed while requests in flight finish,
 * and whatever still runs after the grace period is cut.
 */
export function closeIdleConnectionsOnClose(fastify: FastifyInstance, graceMs: number): void {
  fastify.addHook('preClose', (done) => {
    const sweep = setInterval(() => fastify.server.closeIdleConnections(), SWEEP_MS);
    const cut = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
    fastify.server.once('close', () => {
      clearInterval(sweep);
      clearTimeout(cut);
    });
    done();
  });
}
