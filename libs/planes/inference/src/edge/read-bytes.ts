import type { FastifyRequest } from 'fastify';
import { GatheredBytes } from './gathered-bytes.js';
import { type BodyLimits, receiveBody } from './receive-body.js';

/**
 * A body of any type, in memory.
 *
 * @throws GatewayError what receiving throws.
 */
export async function readBytes(request: FastifyRequest, limits: BodyLimits): Promise<Buffer> {
  const gathered = new GatheredBytes();
  await receiveBody(request, limits, (chunk) => gathered.add(chunk));
  return gathered.join();
}
