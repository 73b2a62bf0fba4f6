import {
  type CallerToken,
  findUnstorableText,
  GatewayError,
  omitUndefined,
  UNSTORABLE_RULE,
} from '@mg/contract';
import type { Batch } from '@mg/persistence/gateway';
import {
  frameGoogleBatch,
  GOOGLE_BATCH_FILE,
  type GoogleBatchInput,
  isFiled,
  readGoogleBatch,
  writeGoogleBatch,
} from '@mg/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FreeCall } from '../../call/free-call.js';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { resolveModel } from '../../call/resolve-model.js';
import { splitGeminiPath } from '../../edge/gemini-path.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { GOOGLE_BATCH_PAGE } from '../../edge/page-sizes.js';
import { refuseGoogleFile } from './google-files.js';
import { readGoogleResults } from './google-results.js';
import { readStored } from '../../call/read-stored-files.js';
import { sendPieces } from './send-stored-file.js';
import { cancelBatch, deleteBatch, findBatch, idOf, nameBatch } from './wallet-batch.js';

/** The method of a model that the requests of a batch are sent to. */
export type GoogleBatchMethod = 'generateContent' | 'embedContent';

const API = 'google_batch';
const CANCEL = ':cancel';
/** Of files that requests are read from: those of Google's clients, and those that OpenAI's send for batches. */
const INPUT_PURPOSES: ReadonlySet<string> = new Set(['user_data', 'batch']);

/** Orders a batch of requests to one method of the model in the path. */
export function createGoogleBatch(method: GoogleBatchMethod) {
  return async ({ caller, request, body }: FreeCall, gateway: GatewayContext) => {
    const { model } = splitGeminiPath(request);
    needModel(model, method, caller, gateway);
    const { details: said, input } = await readGoogleBatch(body, model, nextTurn);
    const details = { ...said, ...omitUndefined({ input_file_id: await findInput(input, caller, gateway) }) };
    const unstorable = findUnstorableText(details);
    if (unstorable !== undefined) {
      const param = `batch.${unstorable}`;
      throw new GatewayError('invalid_request', `${param} ${UNSTORABLE_RULE}.`, { param });
    }
    const endpoint = `/v1beta/models/${model.split('/').map(encodeURIComponent).join('/')}:${method}`;
    const batch = { ...nameBatch(caller, request, ''), api: API, endpoint, details } as const;
    const created =
      input.kind === 'file'
        ? gateway.batches.create(batch)
        : gateway.batches.createWithLines(batch, input.lines);
    return writeGoogleBatch(await readStored(created));
  };
}

/** The file that holds the requests of a batch, if one does. @throws GatewayError `forbidden` where the wallet has none of its name. */
async function findInput(
  input: GoogleBatchInput,
  { walletId }: CallerToken,
  { files }: GatewayContext,
): Promise<string | undefined> {
  if (input.kind === 'requests') return undefined;
  const file = await readStored(files.find(walletId, input.fileId));
  if (file && INPUT_PURPOSES.has(file.purpose)) return file.id;
  throw refuseGoogleFile(GOOGLE_BATCH_FILE);
}

/** Whether there is such a model is said at once, and not once for each request. @throws GatewayError */
function needModel(
  name: string,
  method: GoogleBatchMethod,
  caller: CallerToken,
  { catalog }: GatewayContext,
): void {
  const isImage = resolveModel(catalog(), name, 'image')?.kind === 'image';
  const kind = method === 'embedContent' ? 'embedding' : isImage ? 'image' : 'chat';
  findModel(catalog(), caller, name, kind);
}

/** Batches, the newest first, without their results. */
export async function listGoogleBatches(
  { walletId }: CallerToken,
  request: FastifyRequest,
  { batches }: GatewayContext,
) {
  const { pageSize = String(GOOGLE_BATCH_PAGE.usual), pageToken } = request.query as Record<string, string>;
  const asked = /^\d{1,9}$/.test(pageSize) ? Number(pageSize) : 0;
  if (asked < 1) throw refuse('pageSize', 'must be an integer of 1 or more');
  if (pageToken !== undefined && typeof pageToken !== 'string') throw refuse('pageToken', 'is there twice');
  // Google's lists hold fewer rows than are asked for where those are too many.
  const limit = Math.min(asked, GOOGLE_BATCH_PAGE.most);
  const page = { api: API, after: pageToken === '' ? undefined : pageToken, limit: limit + 1 } as const;
  const found = await readStored(batches.list(walletId, page));
  const shown = found.slice(0, limit);
  return omitUndefined({
    operations: shown.map(writeGoogleBatch),
    nextPageToken: found.length > limit ? shown.at(-1)?.id : undefined,
  });
}

/** A batch; once it has ended, with its results, which take their turn among contents that are read, or with the name of their file. */
export async function showGoogleBatch(
  { id: keyId, walletId }: CallerToken,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
) {
  const batch = await findBatch({ walletId, api: API, id: idOf(request) }, gateway);
  const file = await findResults(batch, gateway);
  if (!file) return writeGoogleBatch(batch);
  const results = readGoogleResults({ walletId, file, frame: frameGoogleBatch(batch) }, gateway.files);
  return gateway.shares.counts.run(keyId, () => sendPieces(results, reply, gateway));
}

async function findResults(batch: Batch, { files }: GatewayContext) {
  const { walletId, outputFileId } = batch;
  if (outputFileId === undefined || isFiled(batch)) return undefined;
  return readStored(files.find(walletId, outputFileId));
}

/** `POST batches/{id}:cancel` @throws GatewayError `not_found`, also for other methods, `conflict`. */
export async function cancelGoogleBatch(
  { walletId }: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
) {
  const id = idOf(request);
  if (!id.endsWith(CANCEL)) throw new GatewayError('not_found', `There is no method but ${CANCEL} here.`);
  await cancelBatch({ walletId, api: API, id: id.slice(0, -CANCEL.length) }, gateway);
  return {};
}

export async function deleteGoogleBatch(
  { walletId }: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
) {
  await deleteBatch({ walletId, api: API, id: idOf(request) }, gateway);
  return {};
}

/** Whether a path is that of the method that cancels a batch. */
export function isCancel(request: FastifyRequest): boolean {
  return idOf(request).endsWith(CANCEL);
}

function refuse(param: string, rule: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${rule}.`, { param });
}
