import type { FastifyRequest } from 'fastify';

/** What stands behind `models/`: a model, which may hold slashes and colons, and a method after the last colon. */
export function splitGeminiPath(request: FastifyRequest): { model: string; method: string } {
  const path = (request.params as { '*': string })['*'];
  const colon = path.lastIndexOf(':');
  return colon < 0
    ? { model: path, method: '' }
    : { model: path.slice(0, colon), method: path.slice(colon + 1) };
}
