import type { CallerToken } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../call/read-stored-files.js';
import { isPublicId } from '../operations/batches/wallet-batch.js';

/** The id of a file in a path. */
export function fileIdOf({ params }: FastifyRequest): string {
  return (params as { fileId: string }).fileId;
}

/**
 * A file, if it is the caller's.
 *
 * @param purposes of which it has to have one, where an API shows those alone.
 * @returns `undefined` for unknown files and for those of other wallets alike.
 * @throws GatewayError `service_unavailable`.
 */
export async function findWalletFile(
  { walletId }: CallerToken,
  id: string,
  { files }: Pick<GatewayContext, 'files'>,
  purposes?: readonly string[],
): Promise<FileFacts | undefined> {
  const file = isPublicId(id) ? await readStored(files.find(walletId, id)) : undefined;
  return purposes === undefined || (file && purposes.includes(file.purpose)) ? file : undefined;
}
