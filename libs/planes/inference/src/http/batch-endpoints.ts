import {
  type CallerToken,
  findUnstorableText,
  GatewayError,
  newId,
  sha256,
  UNSTORABLE_RULE,
} from '@mg/contract';
import type { Batch, BatchApi } from '@mg/persistence/gateway';
import { parseRequestBody, readOpenAiBatch, writeOpenAiBatch } from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { extractKey } from '../access/extract-key.js';
import { type FreeCall, free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../operations/batches/read-stored.js';
import { readPage, writePage } from './read-page.js';
import { serve } from './serve-route.js';

const BATCHES = '/v1/batches';
const DIALECT = 'openai-chat';
const PUBLIC_ID = /^[\w-]{1,128}$/;
const MAX_ORDER_BYTES = 64 * 1024;
const A_DAY = 86_400;

/** OpenAI's batches: https://platform.openai.com/docs/api-reference/batch */
export function registerBatches(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, BATCHES, DIALECT, {
    POST: freeWithBody(gateway, createBatch, MAX_ORDER_BYTES),
    GET: free(gateway, (caller, request) => listBatches(caller, request, gateway)),
  });
  serve(scope, `${BATCHES}/:batchId`, DIALECT, {
    GET: free(gateway, async ({ walletId }, request) =>
      writeOpenAiBatch(await findBatch({ walletId, api: 'batch' }, request, gateway)),
    ),
  });
  serve(scope, `${BATCHES}/:batchId/cancel`, DIALECT, {
    POST: free(gateway, async ({ walletId }, request) =>
      writeOpenAiBatch(await cancelBatch({ walletId, api: 'batch' }, request, gateway)),
    ),
  });
}

async function createBatch({ caller, request, body }: FreeCall, gateway: GatewayContext) {
  const { inputFileId, endpoint, details } = readOpenAiBatch(parseRequestBody(body));
  const unstorable = findUnstorableText(details);
  if (unstorable !== undefined) throw refuse(unstorable, `${unstorable} ${UNSTORABLE_RULE}.`);
  const file = PUBLIC_ID.test(inputFileId)
    ? await readStored(gateway.files.find(caller.walletId, inputFileId))
    : undefined;
  if (file?.purpose !== 'batch') {
    throw refuse('input_file_id', 'There is no file of this id with the purpose batch.');
  }
  const batch = { ...nameBatch(caller, request, 'batch_'), api: 'batch' as const, endpoint, details };
  return writeOpenAiBatch(await readStored(gateway.batches.create(batch)));
}

/** What a new batch is known by, and whose it is. */
function nameBatch(
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

async function listBatches({ walletId }: CallerToken, request: FastifyRequest, { batches }: GatewayContext) {
  const { limit, after } = readPage(request);
  const found = await readStored(batches.list(walletId, { api: 'batch', after, limit: limit + 1 }));
  return writePage(found.map(writeOpenAiBatch), limit);
}

interface Owner {
  readonly walletId: string;
  readonly api: BatchApi;
}

/** @throws GatewayError `not_found` for unknown batches and for those of other wallets alike, `service_unavailable`. */
async function findBatch(
  { walletId, api }: Owner,
  request: FastifyRequest,
  { batches }: GatewayContext,
): Promise<Batch> {
  const id = readId(request);
  const batch = id === undefined ? undefined : await readStored(batches.find(walletId, api, id));
  return batch ?? refuseUnknown();
}

/** @throws GatewayError `conflict` for a batch that has ended, and as `findBatch`. */
async function cancelBatch(
  { walletId, api }: Owner,
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
  return PUBLIC_ID.test(batchId) ? batchId : undefined;
}

function refuseUnknown(): never {
  throw new GatewayError('not_found', 'There is no batch of this id.', { param: 'batch_id' });
}

function refuse(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param });
}
