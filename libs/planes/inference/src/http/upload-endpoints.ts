import { type CallerToken, GatewayError, newId } from '@mg/contract';
import type { UploadFacts } from '@mg/persistence/gateway';
import {
  readUploadCompletion,
  readUploadPart,
  readUploadRequest,
  writeUpload,
  writeUploadPart,
} from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type FreeCall, free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { type FormLimits, readForm } from '../edge/read-form.js';
import { readStored } from '../call/read-stored-files.js';
import { toContent } from '../operations/batches/to-content.js';
import { isPublicId } from '../operations/batches/wallet-batch.js';
import { serve } from './serve-route.js';

const UPLOADS = '/v1/uploads';
const DIALECT = 'openai-chat';
const MEBIBYTE = 1024 * 1024;
/** The ids of as many parts as there may be. */
const MAX_JSON_BYTES = 64 * 1024;

/** One part of at most 64 MB, and nothing else. */
const PART_LIMITS: FormLimits = {
  maxFiles: 1,
  maxBytesPerFile: 64 * MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 1,
  maxBytesPerField: 1_024,
  maxBytes: 65 * MEBIBYTE,
};

/** OpenAI's uploads, files in parts: https://platform.openai.com/docs/api-reference/uploads */
export function registerUploads(scope: FastifyInstance, gateway: GatewayContext): void {
  serve(scope, UPLOADS, DIALECT, { POST: freeWithBody(gateway, beginUpload, MAX_JSON_BYTES) });
  serve(scope, `${UPLOADS}/:uploadId/parts`, DIALECT, {
    POST: free(gateway, (caller, request) => addPart(caller, request, gateway), gateway.shares.counts),
  });
  serve(scope, `${UPLOADS}/:uploadId/complete`, DIALECT, {
    POST: freeWithBody(gateway, completeUpload, MAX_JSON_BYTES),
  });
  serve(scope, `${UPLOADS}/:uploadId/cancel`, DIALECT, {
    POST: free(gateway, (caller, request) => cancelUpload(caller, request, gateway)),
  });
}

async function beginUpload({ caller, body }: FreeCall, { uploads }: GatewayContext) {
  const upload = { id: nameNew('upload_'), ...readUploadRequest(body) };
  return writeUpload(await readStored(uploads.create(caller.walletId, upload)), undefined);
}

/** Keeping costs nothing, so only a wallet that holds something may have us keep. */
async function addPart(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { walletId } = caller;
  const upload = await findUpload(caller, request, gateway);
  if (upload.state !== 'pending') throw refuse(upload);
  await gateway.funds.need(caller);
  const lease = gateway.bodies.open(caller.id);
  try {
    const { parts } = await readForm(request, PART_LIMITS, { lease, spool: gateway.spool });
    const content = toContent(readUploadPart(parts));
    const part = await readStored(gateway.uploads.addPart(walletId, upload, nameNew('part_'), content));
    return writeUploadPart(part, upload.id);
  } finally {
    lease.release();
  }
}

/** One that is complete already is answered once more: its client may not have heard the first answer. */
async function completeUpload({ caller, request, body }: FreeCall, gateway: GatewayContext) {
  const { walletId } = caller;
  const upload = await findUpload(caller, request, gateway);
  const { fileId, state } = upload;
  if (state === 'completed' && fileId !== undefined) {
    return writeUpload(upload, await readStored(gateway.files.find(walletId, fileId)));
  }
  const completion = { ...readUploadCompletion(body), fileId: nameNew('file-') };
  const file = await readStored(gateway.uploads.complete(walletId, upload, completion));
  if (!file) throw refuse(await findUpload(caller, request, gateway));
  return writeUpload({ ...upload, state: 'completed' }, file);
}

async function cancelUpload(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const upload = await findUpload(caller, request, gateway);
  if (
    upload.state !== 'cancelled' &&
    !(await readStored(gateway.uploads.cancel(caller.walletId, upload.id)))
  ) {
    throw refuse(await findUpload(caller, request, gateway));
  }
  return writeUpload({ ...upload, state: 'cancelled' }, undefined);
}

/** @throws GatewayError `not_found` for unknown uploads, those of other wallets and those of an hour ago alike. */
async function findUpload(
  { walletId }: CallerToken,
  { params }: FastifyRequest,
  { uploads }: GatewayContext,
): Promise<UploadFacts> {
  const { uploadId } = params as { uploadId: string };
  const upload = isPublicId(uploadId) ? await readStored(uploads.find(walletId, uploadId)) : undefined;
  if (upload) return upload;
  throw new GatewayError('not_found', 'There is no upload of this id.', { param: 'upload_id' });
}

function refuse({ state }: UploadFacts): GatewayError {
  return new GatewayError('conflict', `The upload is ${state}.`, { param: 'upload_id' });
}

function nameNew(prefix: string): string {
  return prefix + newId().replaceAll('-', '');
}
