import { type CallerToken, GatewayError } from '@mg/contract';
import type { Batch } from '@mg/persistence/gateway';
import { readMessageBatch, writeMessageBatch } from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FreeCall, free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { nextTurn } from '../edge/loop-turns.js';
import { MESSAGE_BATCH_PAGE } from '../edge/page-sizes.js';
import { baseOf } from '../edge/public-base.js';
import { readStored } from '../call/read-stored-files.js';
import { sendStoredFile } from '../operations/batches/send-stored-file.js';
import { cancelBatch, deleteBatch, findBatch, idOf, nameBatch } from '../operations/batches/wallet-batch.js';
import { readCursorPage, writeCursorPage } from './read-cursor-page.js';
import { serve } from './serve-route.js';

const BATCHES = '/v1/messages/batches';
const DIALECT = 'anthropic-messages';
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** Anthropic's message batches: https://docs.anthropic.com/en/api/creating-message-batches */
export function registerMessageBatches(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, BATCHES, DIALECT, {
    POST: freeWithBody(gateway, createBatch, MAX_BODY_BYTES),
    GET: free(gateway, (caller, request) => listBatches(caller, request, gateway)),
  });
  serve(scope, `${BATCHES}/:batchId`, DIALECT, {
    GET: free(gateway, async (caller, request) =>
      show(await findBatch(nameOf(caller, request), gateway), request, gateway),
    ),
    DELETE: free(gateway, async (caller, request) => {
      const name = nameOf(caller, request);
      await deleteBatch(name, gateway);
      return { id: name.id, type: 'message_batch_deleted' };
    }),
  });
  serve(scope, `${BATCHES}/:batchId/cancel`, DIALECT, {
    POST: free(gateway, async (caller, request) =>
      show(await cancelBatch(nameOf(caller, request), gateway), request, gateway),
    ),
  });
  serve(scope, `${BATCHES}/:batchId/results`, DIALECT, {
    GET: free(
      gateway,
      (caller, request, reply) => sendResults(caller, request, reply, gateway),
      gateway.shares.counts,
    ),
  });
}

function nameOf({ walletId }: CallerToken, request: FastifyRequest) {
  return { walletId, api: 'message_batch' as const, id: idOf(request) };
}

async function createBatch({ caller, request, body }: FreeCall, gateway: GatewayContext) {
  const lines = await readMessageBatch(body, nextTurn);
  const batch = {
    ...nameBatch(caller, request, 'msgbatch_'),
    api: 'message_batch' as const,
    endpoint: '/v1/messages',
    details: {},
    headers: readPassedHeaders(request),
  };
  return show(await readStored(gateway.batches.createWithLines(batch, lines)), request, gateway);
}

/** Headers that a surface of Anthropic's passes on: they go with every request of the batch. */
const PASSED = ['anthropic-beta', 'anthropic-version'] as const;
/** Betas that are about batches, and not about what they hold. */
const OF_BATCHES = /^message-batches-/;

function readPassedHeaders({ headers }: FastifyRequest): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const values = String(headers[name] ?? '').split(',');
    const kept = values
      .map((value) => value.trim())
      .filter((value) => value !== '' && !OF_BATCHES.test(value));
    if (kept.length > 0) passed[name] = kept.join(',');
  }
  return passed;
}

async function listBatches({ walletId }: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const page = readCursorPage(request, MESSAGE_BATCH_PAGE);
  const asked = { ...page, api: 'message_batch' as const, limit: page.limit + 1 };
  const found = await readStored(gateway.batches.list(walletId, asked));
  return writeCursorPage(found, page, (batch) => show(batch, request, gateway));
}

async function sendResults(
  caller: CallerToken,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
): Promise<FastifyReply> {
  const { walletId } = caller;
  const { outputFileId } = await findBatch(nameOf(caller, request), gateway);
  const file =
    outputFileId === undefined ? undefined : await readStored(gateway.files.find(walletId, outputFileId));
  if (file) return sendStoredFile({ walletId, file, type: 'application/x-jsonl' }, reply, gateway);
  throw new GatewayError('not_found', 'The batch has no results, or not yet.', { param: 'batch_id' });
}

function show(batch: Batch, request: FastifyRequest, gateway: GatewayContext) {
  return writeMessageBatch(batch, `${baseOf(request, gateway)}${BATCHES}/${batch.id}/results`);
}
