import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Names of this machine for whoever sits at it; `HOST` may give it another. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of this plane as callers reach it, for links in answers: `PUBLIC_URL`, or where none is set the host that
 * the caller asked for, as far as that is this machine. Any other is only something that somebody wrote into a header: the
 * address that the connection came in on stands in its place.
 */
export function baseOf(
  request: FastifyRequest,
  { publicUrl }: { readonly publicUrl?: string | undefined },
): string {
  return publicUrl ?? `http://${findOwnHost(request)}`;
}

function findOwnHost({ host, hostname, socket }: FastifyRequest): string {
  const { localAddress = '127.0.0.1', localPort } = socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  const own = isIP(address) === 6 ? `[${address}]` : address;
  return LOOPBACK.test(hostname) || hostname === own ? host : `${own}:${localPort}`;
}
