import { type CallerToken, findUnstorableText, GatewayError, UNSTORABLE_RULE } from '@mg/contract';
import { parseRequestBody, readOpenAiBatch, writeOpenAiBatch } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type FreeCall, free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { findClientProtocol } from '../edge/find-dialect.js';
import { cancelBatch, findBatch, idOf, isPublicId, nameBatch } from '../operations/batches/wallet-batch.js';
import { readStored } from '../call/read-stored-files.js';
import { googleBatchHandlers, googleBatchList, takesOfGoogleBatch } from './google-batch-endpoints.js';
import { readPage, writePage } from './read-page.js';
import { serve } from './serve-route.js';

const BATCHES = '/v1/batches';
const DIALECT = 'openai-chat';
const MAX_ORDER_BYTES = 64 * 1024;

/** OpenAI's batches, and Google's at the same paths: https://platform.openai.com/docs/api-reference/batch */
export function registerBatches(scope: FastifyInstance, gateway: GatewayContext): void {
  const list = free(gateway, (caller, request) => listBatches(caller, request, gateway));
  const listGoogle = googleBatchList(gateway);
  serve(scope, BATCHES, findListDialect, {
    POST: freeWithBody(gateway, createBatch, MAX_ORDER_BYTES),
    GET: (request, reply) => (isGoogle(request) ? listGoogle : list)(request, reply),
  });
  const show = free(gateway, async (caller, request) =>
    writeOpenAiBatch(await findBatch(nameOf(caller, request), gateway)),
  );
  const google = googleBatchHandlers(gateway);
  serve(
    scope,
    `${BATCHES}/:batchId`,
    findBatchDialect,
    { ...google, GET: (request, reply) => (isGoogle(request) ? google.GET : show)(request, reply) },
    takesOfGoogleBatch,
  );
  serve(scope, `${BATCHES}/:batchId/cancel`, DIALECT, {
    POST: free(gateway, async (caller, request) =>
      writeOpenAiBatch(await cancelBatch(nameOf(caller, request), gateway)),
    ),
  });
}

/** Google's clients have their batches at the same paths, also to be cancelled and deleted as OpenAI's cannot be. */
function isGoogle(request: FastifyRequest): boolean {
  return findClientProtocol(request) === 'gemini-generate';
}

function findListDialect(request: FastifyRequest) {
  return request.method === 'GET' && isGoogle(request) ? 'gemini-generate' : DIALECT;
}

function findBatchDialect(request: FastifyRequest) {
  return request.method === 'POST' || request.method === 'DELETE' || isGoogle(request)
    ? 'gemini-generate'
    : DIALECT;
}

function nameOf({ walletId }: CallerToken, request: FastifyRequest) {
  return { walletId, api: 'batch' as const, id: idOf(request) };
}

async function createBatch({ caller, request, body }: FreeCall, gateway: GatewayContext) {
  const { inputFileId, endpoint, details } = readOpenAiBatch(parseRequestBody(body));
  const unstorable = findUnstorableText(details);
  if (unstorable !== undefined) throw refuse(unstorable, `${unstorable} ${UNSTORABLE_RULE}.`);
  const file = isPublicId(inputFileId)
    ? await readStored(gateway.files.find(caller.walletId, inputFileId))
    : undefined;
  if (file?.purpose !== 'batch') {
    throw refuse('input_file_id', 'There is no file of this id with the purpose batch.');
  }
  const batch = { ...nameBatch(caller, request, 'batch_'), api: 'batch' as const, endpoint, details };
  return writeOpenAiBatch(await readStored(gateway.batches.create(batch)));
}

async function listBatches({ walletId }: CallerToken, request: FastifyRequest, { batches }: GatewayContext) {
  const { limit, after } = readPage(request);
  const found = await readStored(batches.list(walletId, { api: 'batch', after, limit: limit + 1 }));
  return writePage(found.map(writeOpenAiBatch), limit);
}

function refuse(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
