import { GatewayError } from '@mg/contract';
import { checkImageLink } from '@mg/protocols';
import { readRangeWish, sendFile } from '@mg/runtime';
import type { OpenedFile } from '@mg/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { ImageLinks } from '../../images/image-links.js';

const SERVED = new Set([200, 206, 416]);

/**
 * The bytes of an image, or a part of them, to whoever has a link that we signed.
 *
 * @throws GatewayError `forbidden`, `not_found`, `rate_limited` or `upstream_unavailable`.
 */
export async function serveImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { images, shares }: Pick<GatewayContext, 'images' | 'shares'>,
): Promise<unknown> {
  await shares.strangers.count(request.ip);
  const { name } = request.params as { name: string };
  const { expires, sig } = request.query as { expires?: unknown; sig?: unknown };
  const isSigned = typeof expires === 'string' && typeof sig === 'string';
  if (!images || !isSigned || !checkImageLink(name, { expires, sig }, images.keys, Date.now())) {
    throw new GatewayError('forbidden', 'The link is not valid, or not any more.');
  }
  const file = await images.served.open(request.ip, () => openImage(name, request, images));
  if (SERVED.has(file.status)) return sendFile(file, reply);
  file.body.destroy();
  throw new GatewayError('not_found', 'The image is no longer in the result store.');
}

async function openImage(name: string, request: FastifyRequest, { store }: ImageLinks): Promise<OpenedFile> {
  try {
    return await store.open(name, readRangeWish(request));
  } catch (error) {
    throw new GatewayError('upstream_unavailable', 'The image cannot be fetched at the moment.', {
      cause: error,
    });
  }
}
