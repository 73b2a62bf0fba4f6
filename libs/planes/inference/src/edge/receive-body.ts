import { GatewayError } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import type { BodyLease } from './body-budget.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** Where the bytes are counted for as long as the call holds them. */
  readonly lease: BodyLease;
}

/**
 * Receives a request's body piece by piece, at the pace of who takes it. Nothing has read it before: whoever has no API
 * key gets no memory.
 *
 * @throws GatewayError `request_too_large`, what the lease throws when there is no room, what `take` throws, and
 *   `invalid_request` when the client leaves before the body's end.
 */
export function receiveBody(
  request: FastifyRequest,
  { maxBytes, lease }: BodyLimits,
  take: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const { raw } = request;
  return new Promise((resolve, reject) => {
    let received = 0;
    /** The last piece that was waited for. */
    let taking: Promise<void> | undefined;
    const settle = (finish: () => void) => {
      raw.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      finish();
    };
    // A body that had come in before anybody read it ends although it is paused, while its last piece is waited for.
    const onEnd = () => {
      if (!taking) return settle(resolve);
      raw.off('close', onGone).off('error', onGone);
      taking.then(() => settle(resolve), fail);
    };
    const onGone = () => settle(() => reject(refuseHalf()));
    const fail = (error: unknown) => settle(() => reject(error as Error));
    const waitFor = (taken: Promise<void>) => {
      taking = taken;
      raw.pause();
      taken.then(() => raw.resume(), fail);
    };
    const onData = (chunk: Buffer) => {
      try {
        received += chunk.length;
        if (received > maxBytes) throw refuseLarge();
        lease.take(chunk.length);
        const taken = take(chunk);
        if (taken) waitFor(taken);
      } catch (error) {
        fail(error);
      }
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return reject(refuseLarge());
    raw.on('error', ignoreError);
    raw.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    if (raw.destroyed) onGone();
  });
}

/**
 * Stays attached: a connection that breaks after a refusal has nobody else to listen. It holds on to nothing, whereas what
 * receives would stay in memory for as long as the request does.
 */
function ignoreError(): void {}

function refuseLarge(): GatewayError {
  return new GatewayError('request_too_large', 'The body is larger than this endpoint takes.', {
    param: 'body',
  });
}

function refuseHalf(): GatewayError {
  return new GatewayError('invalid_request', 'The connection ended before the body did.', { param: 'body' });
}
