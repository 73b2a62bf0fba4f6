import { GatewayError } from '@mg/contract';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

/**
 * Headers that have one value. Of most of them Node keeps the first silently, while a proxy before the gateway may have
 * used the other one.
 */
const SINGLE = new Set([
  'anthropic-version',
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'sec-websocket-protocol',
  'x-api-key',
  'x-gateway-batch-line',
  'x-gateway-cost',
  'x-gateway-strict',
  'x-gateway-fallback',
  'x-gateway-cache',
  'x-goog-api-key',
]);

/** Refuses a request that says twice who is calling, what is asked or how. */
export const refuseRepeatedHeaders: onRequestHookHandler = (request, _reply, done) => {
  const repeated = findRepeated(request);
  if (repeated === undefined) done();
  else
    done(new GatewayError('invalid_request', `The header ${repeated} is there twice.`, { param: repeated }));
};

function findRepeated({ raw: { rawHeaders } }: FastifyRequest): string | undefined {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!SINGLE.has(name)) continue;
    if (seen.includes(name)) return name;
    seen.push(name);
  }
  return undefined;
}
