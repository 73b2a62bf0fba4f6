import { type CallerToken, GatewayError, omitUndefined } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import { writeGoogleFile } from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../call/read-stored-files.js';
import type { Handler } from '../call/tracked-call.js';
import { GOOGLE_FILE_PAGE } from '../edge/page-sizes.js';
import { baseOf } from '../edge/public-base.js';
import {
  admitToUpload,
  beginGoogleUpload,
  goesOn,
  goOnWithGoogleUpload,
} from '../operations/batches/google-upload.js';
import { refuseGoogleFile } from '../operations/batches/google-files.js';
import { sendStoredFile } from '../operations/batches/send-stored-file.js';
import { isPublicId } from '../operations/batches/wallet-batch.js';
import { fileIdOf, findWalletFile } from './find-wallet-file.js';
import { serve } from './serve-route.js';

const FILES = '/v1beta/files';
const DIALECT = 'gemini-generate';
/** Made by us: nothing else is downloaded. */
const GENERATED = 'batch_output';
/** Google's files are those of OpenAI's API that calls may name, and what batches read and write. */
const SHOWN = ['user_data', 'batch', GENERATED];
const DOWNLOAD = ':download';
const LINES_TYPE = 'application/jsonl';
const MAX_START_BYTES = 16 * 1024;

/** Google's Files API, whose list and files stand at the paths of OpenAI's under `/v1`: https://ai.google.dev/api/files */
export function registerGoogleFiles(scope: FastifyInstance, gateway: GatewayContext): void {
  for (const version of ['v1', 'v1beta']) {
    serve(scope, `/upload/${version}/files`, DIALECT, { POST: takeUpload(gateway) });
    serve(scope, `/download/${version}/files/:fileId`, DIALECT, {
      GET: free(gateway, (caller, request, reply) => download(caller, request, reply, gateway)),
    });
  }
  serve(scope, FILES, DIALECT, { GET: googleFileList(gateway) });
  serve(scope, `${FILES}/:fileId`, DIALECT, googleFileHandlers(gateway), takesOfFile);
}

/** What is downloaded is not deleted by that name. */
export function takesOfFile(request: FastifyRequest): readonly string[] {
  return fileIdOf(request).endsWith(DOWNLOAD) ? ['GET'] : ['GET', 'DELETE'];
}

/** The list of Google's files, wherever it stands. */
export function googleFileList(gateway: GatewayContext): Handler {
  return free(gateway, (caller, request) => listFiles(caller, request, gateway));
}

/** What one of Google's files takes, wherever it stands. */
export function googleFileHandlers(gateway: GatewayContext): Record<'GET' | 'DELETE', Handler> {
  return {
    GET: free(gateway, async (caller, request, reply) =>
      fileIdOf(request).endsWith(DOWNLOAD)
        ? download(caller, request, reply, gateway)
        : writeGoogleFile(await findFile(caller, fileIdOf(request), gateway), baseOf(request, gateway)),
    ),
    DELETE: free(gateway, (caller, request) => deleteFile(caller, request, gateway)),
  };
}

/** An upload is begun with a key, and goes on at the address that it was given. */
function takeUpload(gateway: GatewayContext): Handler {
  const begin = freeWithBody(gateway, beginGoogleUpload, MAX_START_BYTES);
  const goOn = free(gateway, goOnWithGoogleUpload, gateway.shares.counts, admitToUpload(gateway));
  return (request, reply) => (goesOn(request) ? goOn : begin)(request, reply);
}

async function listFiles({ walletId }: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { pageSize = String(GOOGLE_FILE_PAGE.usual), pageToken = '' } = request.query as Record<
    string,
    string
  >;
  const asked = /^\d{1,9}$/.test(pageSize) ? Number(pageSize) : 0;
  if (asked < 1) throw refuse('pageSize', 'must be an integer of 1 or more');
  if (pageToken !== '' && !isPublicId(pageToken)) throw refuse('pageToken', 'is not one of ours');
  // Google's lists hold fewer rows than are asked for where those are too many.
  const limit = Math.min(asked, GOOGLE_FILE_PAGE.most);
  const page = { purposes: SHOWN, after: pageToken || undefined, limit: limit + 1, order: 'desc' } as const;
  const found = await readStored(gateway.files.list(walletId, page));
  const shown = found.slice(0, limit);
  const base = baseOf(request, gateway);
  return omitUndefined({
    files: shown.length > 0 ? shown.map((file) => writeGoogleFile(file, base)) : undefined,
    nextPageToken: found.length > limit ? shown.at(-1)?.id : undefined,
  });
}

async function deleteFile(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { id } = await findFile(caller, fileIdOf(request), gateway);
  await readStored(gateway.files.delete(caller.walletId, id));
  return {};
}

/** `GET files/{id}:download`: the results of a batch, which take their turn among contents that are read. */
async function download(
  caller: CallerToken,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
): Promise<FastifyReply> {
  const { walletId } = caller;
  const name = fileIdOf(request);
  const id = name.endsWith(DOWNLOAD) ? name.slice(0, -DOWNLOAD.length) : '';
  const file = await findFile(caller, id, gateway);
  if (file.purpose !== GENERATED)
    throw refuse('name', 'is a file that was uploaded, which is not downloaded');
  const sent = { walletId, file, type: LINES_TYPE };
  return gateway.shares.counts.run(caller.id, () => sendStoredFile(sent, reply, gateway));
}

/** @throws GatewayError `forbidden`, `service_unavailable`. */
async function findFile(caller: CallerToken, id: string, gateway: GatewayContext): Promise<FileFacts> {
  const file = await findWalletFile(caller, id, gateway, SHOWN);
  if (file) return file;
  throw refuseGoogleFile('name');
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}
