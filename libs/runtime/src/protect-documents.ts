import type { FastifyInstance } from 'fastify';

/** What Swagger UI needs: files of its own, and styles and images that its page carries. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Keeps the page of the API's description out of frames, and lets it run nothing but its own files. */
export function protectDocuments(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (/^\/docs(?:[/?]|$)/.test(request.url)) reply.headers(HEADERS);
    done();
  });
}
