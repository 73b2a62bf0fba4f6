import { type CallerToken, GatewayError, newId, sha256 } from '@mg/contract';
import type { Batch, BatchApi } from '@mg/persistence/gateway';
import type { FastifyRequest } from 'fastify';
import { extractKey } from '../../access/extract-key.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { readStored } from '../../call/read-stored-files.js';

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

/** Which batch is meant: whose, and of which API. */
export interface BatchName {
  readonly walletId: string;
  readonly api: BatchApi;
  /** As it stands in the path. */
  readonly id: string;
}

/** The id in the path of a batch. */
export function idOf({ params }: FastifyRequest): string {
  return (params as { batchId: string }).batchId;
}

/** @throws GatewayError `not_found` for unknown batches and for those of other wallets alike, `service_unavailable`. */
export async function findBatch(
  { walletId, api, id }: BatchName,
  { batches }: Pick<GatewayContext, 'batches'>,
): Promise<Batch> {
  const batch = isPublicId(id) ? await readStored(batches.find(walletId, api, id)) : undefined;
  return batch ?? refuseUnknown();
}

/** @throws GatewayError `conflict` for a batch that has ended, and as `findBatch`. */
export async function cancelBatch(
  { walletId, api, id }: BatchName,
  { batches }: Pick<GatewayContext, 'batches'>,
): Promise<Batch> {
  const batch = isPublicId(id) ? await readStored(batches.cancel(walletId, api, id)) : undefined;
  if (!batch) return refuseUnknown();
  if (batch.cancellingAt === undefined) {
    throw new GatewayError('conflict', `A batch that is ${batch.state} cannot be cancelled.`, {
      param: 'batch_id',
    });
  }
  return batch;
}

/**
 * Removes a batch that has ended, and the file with its results.
 *
 * @throws GatewayError `conflict` for a batch that has not ended, and as `findBatch`.
 */
export async function deleteBatch(
  name: BatchName,
  { batches, files }: Pick<GatewayContext, 'batches' | 'files'>,
): Promise<void> {
  const { walletId, api, id } = name;
  const { endedAt, outputFileId } = await findBatch(name, { batches });
  if (!endedAt)
    throw new GatewayError('conflict', 'Cancel the batch first: it has not ended.', { param: 'batch_id' });
  if (outputFileId !== undefined) await readStored(files.delete(walletId, outputFileId));
  await readStored(batches.delete(walletId, api, id));
}

function refuseUnknown(): never {
  throw new GatewayError('not_found', 'There is no batch of this id.', { param: 'batch_id' });
}
