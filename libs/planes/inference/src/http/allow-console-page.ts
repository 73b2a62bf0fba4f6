import type { FastifyInstance } from 'fastify';

const METHODS = 'GET, POST, DELETE';
const HEADERS = 'authorization, content-type, idempotency-key';
const SHOWN_HEADERS =
  'x-request-id, x-gateway-cost, x-gateway-estimated, x-gateway-dropped, x-gateway-model, x-gateway-attempts, x-gateway-channel, x-gateway-cache, retry-after, content-disposition';
const REMEMBERED_SECONDS = 600;

/**
 * Lets the Console's page call the gateway from the browser: answers of ours to a page of these origins may be read by
 * it. Pages of every other origin, and all of them where none is named, are kept out by their browsers.
 */
export function allowConsolePage(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  server.addHook('onRequest', async (request, reply) => {
    // On the raw answer, since streams are written past Fastify.
    reply.raw.setHeader('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return undefined;
    reply.raw.setHeader('access-control-allow-origin', origin);
    reply.raw.setHeader('access-control-expose-headers', SHOWN_HEADERS);
    if (request.method !== 'OPTIONS') return undefined;
    return reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': HEADERS,
        'access-control-max-age': String(REMEMBERED_SECONDS),
      })
      .status(204)
      .send();
  });
}
