import { type CallerToken, GatewayError, newId } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import { readFileUpload, writeFile } from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { free } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { findClientProtocol } from '../edge/find-dialect.js';
import { type FormLimits, readForm } from '../edge/read-form.js';
import { sendStoredFile } from '../operations/batches/send-stored-file.js';
import { readStored } from '../call/read-stored-files.js';
import { toContent } from '../operations/batches/to-content.js';
import { isPublicId } from '../operations/batches/wallet-batch.js';
import { googleFileHandlers, googleFileList } from './google-file-endpoints.js';
import { readPage, writePage } from './read-page.js';
import { serve } from './serve-route.js';

const FILES = '/v1/files';
const DIALECT = 'openai-chat';
const MEBIBYTE = 1024 * 1024;

/** One file of at most 64 MB, and the fields around it. */
const UPLOAD_LIMITS: FormLimits = {
  maxFiles: 1,
  maxBytesPerFile: 64 * MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 8,
  maxBytesPerField: 1_024,
  maxBytes: 65 * MEBIBYTE,
};

/** OpenAI's Files API, for what batches read and write, and Google's at the same paths: https://platform.openai.com/docs/api-reference/files */
export function registerFiles(scope: FastifyInstance, gateway: GatewayContext): void {
  const { counts } = gateway.shares;
  const list = free(gateway, (caller, request) => listFiles(caller, request, gateway));
  const listGoogle = googleFileList(gateway);
  serve(scope, FILES, findListDialect, {
    POST: free(gateway, (caller, request) => uploadFile(caller, request, gateway), counts),
    GET: (request, reply) => (isGoogle(request) ? listGoogle : list)(request, reply),
  });
  const show = free(gateway, async (caller, request) => writeFile(await findFile(caller, request, gateway)));
  const remove = free(gateway, (caller, request) => deleteFile(caller, request, gateway));
  const google = googleFileHandlers(gateway);
  serve(scope, `${FILES}/:fileId`, findFileDialect, {
    GET: (request, reply) => (isGoogle(request) ? google.GET : show)(request, reply),
    DELETE: (request, reply) => (isGoogle(request) ? google.DELETE : remove)(request, reply),
  });
  serve(scope, `${FILES}/:fileId/content`, DIALECT, {
    GET: free(gateway, (caller, request, reply) => sendContent(caller, request, reply, gateway), counts),
  });
}

/** Google's clients have their files at the same paths. */
function isGoogle(request: FastifyRequest): boolean {
  return findClientProtocol(request) === 'gemini-generate';
}

function findListDialect(request: FastifyRequest) {
  return request.method === 'GET' ? findFileDialect(request) : DIALECT;
}

function findFileDialect(request: FastifyRequest) {
  return isGoogle(request) ? 'gemini-generate' : DIALECT;
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
  const page = { limit: limit + 1, after, order, purpose };
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
  { walletId }: CallerToken,
  request: FastifyRequest,
  { files }: GatewayContext,
): Promise<FileFacts> {
  const { fileId } = request.params as { fileId: string };
  const file = isPublicId(fileId) ? await readStored(files.find(walletId, fileId)) : undefined;
  if (file) return file;
  throw new GatewayError('not_found', 'There is no file of this id.', { param: 'file_id' });
}
