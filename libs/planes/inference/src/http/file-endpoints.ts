import { type CallerToken, GatewayError, newId } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import { readFileUpload, writeFile } from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { free } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import type { Handler } from '../call/tracked-call.js';
import { findClientProtocol } from '../edge/find-dialect.js';
import { readForm } from '../edge/read-form.js';
import { sendStoredFile } from '../operations/batches/send-stored-file.js';
import { readStored } from '../call/read-stored-files.js';
import { toContent } from '../operations/batches/to-content.js';
import { anthropicFileHandlers } from './anthropic-file-endpoints.js';
import { googleFileHandlers, googleFileList, takesOfFile } from './google-file-endpoints.js';
import { fileIdOf, findWalletFile } from './find-wallet-file.js';
import { readPage, writePage } from './read-page.js';
import { serve } from './serve-route.js';
import { UPLOAD_LIMITS } from './upload-limits.js';

const FILES = '/v1/files';
const DIALECT = 'openai-chat';

/**
 * OpenAI's Files API, for what batches read and calls name, and those of Anthropic and Google at the same paths.
 *
 * @see https://platform.openai.com/docs/api-reference/files
 */
export function registerFiles(scope: FastifyInstance, gateway: GatewayContext): void {
  const { counts } = gateway.shares;
  const anthropic = anthropicFileHandlers(gateway);
  const google = googleFileHandlers(gateway);
  serve(scope, FILES, findFilesDialect, {
    POST: byClient({
      'openai-chat': free(gateway, (caller, request) => uploadFile(caller, request, gateway), counts),
      'anthropic-messages': anthropic.upload,
    }),
    GET: byClient({
      'openai-chat': free(gateway, (caller, request) => listFiles(caller, request, gateway)),
      'anthropic-messages': anthropic.list,
      'gemini-generate': googleFileList(gateway),
    }),
  });
  const one = {
    GET: byClient({
      'openai-chat': free(gateway, async (caller, request) =>
        writeFile(await findFile(caller, request, gateway)),
      ),
      'anthropic-messages': anthropic.show,
      'gemini-generate': google.GET,
    }),
    DELETE: byClient({
      'openai-chat': free(gateway, (caller, request) => deleteFile(caller, request, gateway)),
      'anthropic-messages': anthropic.remove,
      'gemini-generate': google.DELETE,
    }),
  };
  serve(scope, `${FILES}/:fileId`, findFilesDialect, one, takesOfFile);
  serve(scope, `${FILES}/:fileId/content`, findContentDialect, {
    GET: byClient({
      'openai-chat': free(
        gateway,
        (caller, request, reply) => sendContent(caller, request, reply, gateway),
        counts,
      ),
      'anthropic-messages': anthropic.download,
    }),
  });
}

/** Answers each client by the handler of its API; OpenAI's takes those of clients that have none. */
function byClient(
  handlers: Partial<Record<ReturnType<typeof findClientProtocol>, Handler>> & {
    readonly 'openai-chat': Handler;
  },
): Handler {
  return (request, reply) =>
    (handlers[findClientProtocol(request)] ?? handlers['openai-chat'])(request, reply);
}

/** Google's clients upload elsewhere. */
function findFilesDialect(request: FastifyRequest) {
  return request.method === 'POST' ? findContentDialect(request) : findClientProtocol(request);
}

/** Google's clients download nothing. */
function findContentDialect(request: FastifyRequest) {
  const client = findClientProtocol(request);
  return client === 'gemini-generate' ? DIALECT : client;
}

/** Keeping costs nothing, so only a wallet that holds something may have us keep. */
async function uploadFile(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  await gateway.funds.need(caller);
  const lease = gateway.bodies.open(caller.id);
  try {
    const { parts } = await readForm(request, UPLOAD_LIMITS, { lease, spool: gateway.spool });
    const { bytes, ...facts } = readFileUpload(parts);
    const file = { id: `file-${newId().replaceAll('-', '')}`, ...facts };
    return writeFile(await readStored(gateway.files.upload(caller.walletId, file, toContent(bytes))));
  } finally {
    lease.release();
  }
}

async function listFiles({ walletId }: CallerToken, request: FastifyRequest, { files }: GatewayContext) {
  const { limit, after, order } = readPage(request);
  const { purpose } = request.query as { purpose?: string };
  const purposes = purpose === undefined ? undefined : [purpose];
  const page = { limit: limit + 1, after, order, purposes };
  const found = await readStored(files.list(walletId, page));
  return writePage(found.map(writeFile), limit);
}

async function deleteFile(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { id } = await findFile(caller, request, gateway);
  await readStored(gateway.files.delete(caller.walletId, id));
  return { id, object: 'file', deleted: true };
}

async function sendContent(
  caller: CallerToken,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
): Promise<FastifyReply> {
  const file = await findFile(caller, request, gateway);
  return sendStoredFile(
    { walletId: caller.walletId, file, type: 'application/octet-stream' },
    reply,
    gateway,
  );
}

/** @throws GatewayError `not_found` for unknown files and for those of other wallets alike, `service_unavailable`. */
async function findFile(
  caller: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
): Promise<FileFacts> {
  const file = await findWalletFile(caller, fileIdOf(request), gateway);
  if (file) return file;
  throw new GatewayError('not_found', 'There is no file of this id.', { param: 'file_id' });
}
