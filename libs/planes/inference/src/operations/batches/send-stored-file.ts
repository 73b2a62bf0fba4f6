import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FileFacts } from '@mg/persistence/gateway';
import type { FastifyReply } from 'fastify';
import type { GatewayContext } from '../../call/gateway-context.js';

/** A client that reads nothing for this long is disconnected. */
const STALLED_MS = 60_000;

/** Answers with a file of a wallet, and resolves once its client has read it: the turn of the key's share lasts as long. */
export async function sendStoredFile(
  { walletId, file, type }: { readonly walletId: string; readonly file: FileFacts; readonly type: string },
  reply: FastifyReply,
  { files, logger }: GatewayContext,
): Promise<FastifyReply> {
  const content = Readable.from(files.read(walletId, file), { objectMode: false });
  reply.headers({
    'content-type': type,
    'content-length': file.bytes,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy());
  void reply.send(content);
  await finished(reply.raw).catch((error: unknown) => logger.debug({ err: error }, 'a file broke off'));
  return reply;
}
