import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fastifyStatic } from '@fastify/static';
import type { Environment } from '@mg/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findGatewayUrl } from './find-gateway-url.js';

const NOT_BUILT =
  'The page of the Console is not built here: `npm start` and `nx build console-web` build it. Its API is described at /docs.\n';

/** Parts of the API's side of the server: what is not found there is said so, and is never the page. */
const NOT_THE_PAGE = /^\/(api|assets|docs|healthz|readyz|metrics|openapi\.json)(\/|$|\?)/;

interface PageOptions {
  /** Where the built page lies; without one only a sentence is served. */
  readonly directory: string | undefined;
  readonly environment: Environment;
}

/**
 * Serves the Console's page: its files by their hashed names, and the document itself for every path that a browser
 * opens and that is no route of the API, since the page finds its views by the path.
 */
export async function servePage(fastify: FastifyInstance, options: PageOptions): Promise<void> {
  const { directory, environment } = options;
  if (directory === undefined || !existsSync(join(directory, 'index.html'))) {
    fastify.addHook('onRequest', async (request, reply) => {
      if (request.is404 && isRoot(request)) return reply.status(404).type('text/plain').send(NOT_BUILT);
      return undefined;
    });
    return;
  }
  await fastify.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    wildcard: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
  });
  fastify.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || !wantsPage(request)) return undefined;
    addPageHeaders(reply, findGatewayUrl(environment, request.hostname));
    return reply.sendFile('index.html', directory, { cacheControl: false });
  });
}

function isRoot({ method, url }: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(method) && /^\/(\?|$)/.test(url);
}

function wantsPage(request: FastifyRequest): boolean {
  if (isRoot(request)) return true;
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  return (
    isReading && !NOT_THE_PAGE.test(request.url) && request.headers.accept?.includes('text/html') === true
  );
}

/** Nothing runs or is drawn in the page that is not a file of ours, and it speaks to us and to the gateway alone. */
function addPageHeaders(reply: FastifyReply, gatewayUrl: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob: data: ${new URL(gatewayUrl).origin}`,
    `connect-src 'self' ${new URL(gatewayUrl).origin}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  void reply.headers({
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'DENY',
    'cache-control': 'no-cache',
  });
}
