import { once } from 'node:events';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FileFacts } from '@mg/persistence/gateway';
import { limitStall } from '@mg/runtime';
import type { FastifyReply } from 'fastify';
import type { GatewayContext } from '../../call/gateway-context.js';
import { readStored } from '../../call/read-stored-files.js';

/** Answers with a file of a wallet, and resolves once its client has read it: the turn of the key's share lasts as long. */
export function sendStoredFile(
  { walletId, file, type }: { readonly walletId: string; readonly file: FileFacts; readonly type: string },
  reply: FastifyReply,
  { files, logger }: Pick<GatewayContext, 'files' | 'logger'>,
): Promise<FastifyReply> {
  return sendPieces({ pieces: files.read(walletId, file), bytes: file.bytes, type }, reply, { logger });
}

/** Content that is read while it is sent. */
export interface SentContent {
  readonly pieces: AsyncIterable<Buffer>;
  /** Of all pieces together. */
  readonly bytes: number;
  readonly type: string;
}

/**
 * Answers with stored content piece by piece, and resolves once its client has read it.
 *
 * @throws GatewayError `service_unavailable` when nothing of it can be read.
 */
export async function sendPieces(
  { pieces, bytes, type }: SentContent,
  reply: FastifyReply,
  { logger }: Pick<GatewayContext, 'logger'>,
): Promise<FastifyReply> {
  const body = Readable.from(pieces, { objectMode: false });
  // Once the status is sent, there is no other way to tell a client than to break off.
  if (bytes > 0) await readStored(once(body, 'readable'));
  reply.headers({
    'content-type': type,
    'content-length': bytes,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  limitStall(reply);
  void reply.send(body);
  await finished(reply.raw).catch((error: unknown) => logger.debug({ err: error }, 'a file broke off'));
  return reply;
}
