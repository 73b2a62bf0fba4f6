import type { CallerToken } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../call/read-stored-files.js';
import { isPublicId } from '../operations/batches/wallet-batch.js';

/**
 * The file that a path names by `fileId`, if it is the caller's.
 *
 * @param purpose that it has to have, where an API shows those of one purpose alone.
 * @returns `undefined` for unknown files and for those of other wallets alike.
 * @throws GatewayError `service_unavailable`.
 */
export async function findWalletFile(
  { walletId }: CallerToken,
  { params }: FastifyRequest,
  { files }: Pick<GatewayContext, 'files'>,
  purpose?: string,
): Promise<FileFacts | undefined> {
  const { fileId } = params as { fileId: string };
  const file = isPublicId(fileId) ? await readStored(files.find(walletId, fileId)) : undefined;
  return purpose === undefined || file?.purpose === purpose ? file : undefined;
}
