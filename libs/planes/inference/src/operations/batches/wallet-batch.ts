import { type CallerToken, GatewayError, newId, sha256 } from '@mg/contract';
import type { Batch, BatchApi } from '@mg/persistence/gateway';
import type { FastifyRequest } from 'fastify';
import { extractKey } from '../../access/extract-key.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { readStored } from './read-stored.js';

const PUBLIC_ID = /^[\w-]{1,128}$/;
const A_DAY = 86_400;

/** Whether a text may be the id of a file or a batch. */
export function isPublicId(text: string): boolean {
  return PUBLIC_ID.test(text);
}

/** What a new batch is known by, and whose it is. */
export function nameBatch(
  { id: tokenId, walletId }: CallerToken,
  { headers, query }: FastifyRequest,
  prefix: string,
) {
  return {
    id: `${prefix}${newId().replaceAll('-', '')}`,
    walletId,
    tokenId,
    keyHash: sha256(extractKey(headers, query)),
    windowSeconds: A_DAY,
  };
}

/** Whose batch is meant, and of which API. */
export interface BatchOwner {
  readonly walletId: string;
  readonly api: BatchApi;
}

/** @throws GatewayError `not_found` for unknown batches and for those of other wallets alike, `service_unavailable`. */
export async function findBatch(
  { walletId, api }: BatchOwner,
  request: FastifyRequest,
  { batches }: GatewayContext,
): Promise<Batch> {
  const id = readId(request);
  const batch = id === undefined ? undefined : await readStored(batches.find(walletId, api, id));
  return batch ?? refuseUnknown();
}

/** @throws GatewayError `conflict` for a batch that has ended, and as `findBatch`. */
export async function cancelBatch(
  { walletId, api }: BatchOwner,
  request: FastifyRequest,
  { batches }: GatewayContext,
): Promise<Batch> {
  const id = readId(request);
  const batch = id === undefined ? undefined : await readStored(batches.cancel(walletId, api, id));
  if (!batch) return refuseUnknown();
  if (batch.cancellingAt === undefined) {
    throw new GatewayError('conflict', `A batch that is ${batch.state} cannot be cancelled.`, {
      param: 'batch_id',
    });
  }
  return batch;
}

function readId({ params }: FastifyRequest): string | undefined {
  const { batchId } = params as { batchId: string };
  return isPublicId(batchId) ? batchId : undefined;
}

function refuseUnknown(): never {
  throw new GatewayError('not_found', 'There is no batch of this id.', { param: 'batch_id' });
}
