import { type CallerToken, GatewayError, newId, sha256 } from '@mg/contract';
import type { UploadFacts, UploadPart } from '@mg/persistence/gateway';
import { chooseGooglePurpose, readMimeType, readNewGoogleFile, writeGoogleFile } from '@mg/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { admit, admitByLink } from '../../access/admit.js';
import { extractKey, hasKey } from '../../access/extract-key.js';
import type { FreeCall } from '../../call/free-call.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { readStored } from '../../call/read-stored-files.js';
import { baseOf } from '../../edge/public-base.js';
import { readBytes } from '../../edge/read-bytes.js';
import { toContent } from './to-content.js';

/** As long as Google keeps them. */
const KEEP_SECONDS = 48 * 60 * 60;
/** Chunks but for the last one hold a multiple of this, as Google wants it. */
const GRANULARITY = 256 * 1024;
/** They are read into memory. Google's SDKs send eight megabytes at a time. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;
/** Parts are kept in the order of their names. */
const OFFSET_DIGITS = 9;
const COMMANDS = ['upload', 'finalize', 'query', 'cancel'];
const LINK = 'upload_id';
const STATUS = 'x-goog-upload-status';

/** What is asked for beside the content of a request. */
const HEADERS = {
  protocol: 'X-Goog-Upload-Protocol',
  command: 'X-Goog-Upload-Command',
  offset: 'X-Goog-Upload-Offset',
  length: 'X-Goog-Upload-Header-Content-Length',
  type: 'X-Goog-Upload-Header-Content-Type',
} as const;

/** Whether a request goes on with an upload, by the address that it was given. */
export function goesOn({ query }: FastifyRequest): boolean {
  return Object.hasOwn(query as object, LINK);
}

/**
 * Begins an upload by Google's resumable protocol. Its content goes to the address in `x-goog-upload-url`, which the SDK for
 * Python calls without a key.
 *
 * @see https://ai.google.dev/api/files#method:-media.upload
 */
export async function beginGoogleUpload(
  { caller, request, reply, body }: FreeCall,
  gateway: GatewayContext,
): Promise<object> {
  if (readHeader(request, HEADERS.protocol) !== 'resumable')
    throw refuse(HEADERS.protocol, 'must be resumable');
  if (readHeader(request, HEADERS.command) !== 'start') throw refuse(HEADERS.command, 'must be start');
  const bytes = readInteger(request, HEADERS.length);
  if (bytes < 1) throw refuse(HEADERS.length, 'must be 1 or more');
  const { id = toHex(newId()), displayName = '', mimeType } = readNewGoogleFile(body);
  const type = mimeType ?? readMimeType(readHeader(request, HEADERS.type), HEADERS.type);
  const purpose = chooseGooglePurpose(bytes, type, HEADERS.length);
  await refuseTaken(caller, id, gateway);
  const upload = {
    id: `upload_${toHex(newId())}`,
    purpose,
    filename: displayName,
    mimeType: type,
    bytes,
    keepSeconds: KEEP_SECONDS,
    fileId: id,
  };
  await readStored(gateway.uploads.create(caller.walletId, upload));
  const keyHash = sha256(extractKey(request.headers, request.query));
  const link = gateway.uploadLinks.seal({ keyHash, uploadId: upload.id });
  const [path] = request.url.split('?', 1);
  reply.headers({
    'x-goog-upload-url': `${baseOf(request, gateway)}${path}?${LINK}=${link}&upload_protocol=resumable`,
    'x-goog-upload-chunk-granularity': GRANULARITY,
    [STATUS]: 'active',
  });
  return {};
}

/**
 * Who goes on with an upload: whoever has its address, which was made for one key. Another wallet's key does not get along with
 * it.
 */
export function admitToUpload(gateway: GatewayContext): (request: FastifyRequest) => Promise<CallerToken> {
  return async (request) => {
    const link = openLink(request, gateway);
    if (!link) {
      await gateway.shares.strangers.count(request.ip);
      throw refuseUnknown();
    }
    const caller = await admitByLink(link.keyHash, request, gateway);
    const sender = hasKey(request.headers, request.query) ? await admit(request, gateway) : caller;
    if (sender.walletId !== caller.walletId) throw refuseUnknown();
    return caller;
  };
}

/** Takes a step of an upload. One that is complete is answered once more: its client may not have heard the first answer. */
export async function goOnWithGoogleUpload(
  caller: CallerToken,
  request: FastifyRequest,
  reply: FastifyReply,
  gateway: GatewayContext,
): Promise<object> {
  const commands = readCommands(request);
  const upload = await findUpload(caller, request, gateway);
  if (upload.state === 'completed') return showFile(upload, caller, { request, reply }, gateway);
  if (upload.state !== 'pending') throw refuseState(upload);
  if (commands.includes('cancel')) {
    await readStored(gateway.uploads.cancel(caller.walletId, upload.id));
    reply.header(STATUS, 'cancelled');
    return {};
  }
  if (commands.includes('upload')) await addChunk(upload, caller, request, commands, gateway);
  if (commands.includes('finalize')) {
    await finish(upload, caller, gateway);
    return showFile(upload, caller, { request, reply }, gateway);
  }
  const parts = await readStored(gateway.uploads.listParts(caller.walletId, upload.id));
  reply.headers({ [STATUS]: 'active', 'x-goog-upload-size-received': countBytes(parts) });
  return {};
}

/** Keeping costs nothing, so only a wallet that holds something may have us keep. A chunk that is there is not kept again. */
async function addChunk(
  upload: UploadFacts,
  caller: CallerToken,
  request: FastifyRequest,
  commands: readonly string[],
  gateway: GatewayContext,
): Promise<void> {
  const { walletId } = caller;
  const offset = readInteger(request, HEADERS.offset);
  const parts = await readStored(gateway.uploads.listParts(walletId, upload.id));
  const id = `${upload.id}_${String(offset).padStart(OFFSET_DIGITS, '0')}`;
  const kept = parts.find((part) => part.id === id);
  const received = countBytes(parts);
  if (!kept && offset !== received) throw refuse(HEADERS.offset, `must be ${received}, what has come so far`);
  await gateway.funds.need(caller);
  const lease = gateway.bodies.open(caller.id);
  try {
    const maxBytes = Math.min(upload.bytes - offset, MAX_CHUNK_BYTES);
    const chunk = await readBytes(request, { maxBytes, lease });
    if (kept ? kept.bytes !== chunk.length : chunk.length === 0) {
      throw refuse(
        HEADERS.offset,
        kept ? 'names a chunk that came with another length' : 'comes with no bytes',
      );
    }
    const isLast = commands.includes('finalize') || offset + chunk.length === upload.bytes;
    if (!isLast && chunk.length % GRANULARITY > 0) {
      throw refuse('body', `must hold a multiple of ${GRANULARITY} bytes, or the end of the file`);
    }
    if (!kept) await readStored(gateway.uploads.addPart(walletId, upload, id, toContent(chunk)));
  } finally {
    lease.release();
  }
}

/** @throws GatewayError `invalid_request` where something is missing, `conflict`, `service_unavailable`. */
async function finish(upload: UploadFacts, caller: CallerToken, gateway: GatewayContext): Promise<void> {
  const { walletId } = caller;
  const { uploads } = gateway;
  const parts = await readStored(uploads.listParts(walletId, upload.id));
  const received = countBytes(parts);
  if (received !== upload.bytes) {
    throw refuse(HEADERS.command, `cannot finalize ${received} of ${upload.bytes} bytes`);
  }
  const fileId = fileIdOf(upload);
  await refuseTaken(caller, fileId, gateway);
  const completion = { fileId, partIds: parts.map(({ id }) => id), md5: undefined };
  if (await readStored(uploads.complete(walletId, upload, completion))) return;
  const now = await readStored(uploads.find(walletId, upload.id));
  if (now?.state !== 'completed') throw refuseState(now ?? upload);
}

async function showFile(
  upload: UploadFacts,
  { walletId }: CallerToken,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  gateway: GatewayContext,
): Promise<object> {
  const file = await readStored(gateway.files.find(walletId, fileIdOf(upload)));
  if (!file) throw refuseUnknown();
  reply.header(STATUS, 'final');
  return { file: writeGoogleFile(file, baseOf(request, gateway)) };
}

function fileIdOf({ id, fileId = id }: UploadFacts): string {
  return fileId;
}

/** @throws GatewayError `conflict` where the wallet has a file of this name. */
async function refuseTaken({ walletId }: CallerToken, id: string, { files }: GatewayContext): Promise<void> {
  if (!(await readStored(files.find(walletId, id)))) return;
  throw new GatewayError('conflict', `There is a file of the name files/${id}.`, { param: 'file.name' });
}

/** @throws GatewayError `not_found` for unknown uploads and those of an hour ago alike. */
async function findUpload(
  { walletId }: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
): Promise<UploadFacts> {
  const id = openLink(request, gateway)?.uploadId ?? '';
  const upload = await readStored(gateway.uploads.find(walletId, id));
  if (upload) return upload;
  throw refuseUnknown();
}

function openLink({ query }: FastifyRequest, { uploadLinks }: GatewayContext) {
  const { [LINK]: link } = query as Record<string, unknown>;
  return typeof link === 'string' ? uploadLinks.open(link) : undefined;
}

/** `upload, finalize` and the like. @throws GatewayError `invalid_request` */
function readCommands(request: FastifyRequest): readonly string[] {
  const commands = readHeader(request, HEADERS.command)
    .split(',')
    .map((command) => command.trim());
  if (commands.every((command) => COMMANDS.includes(command))) return commands;
  throw refuse(HEADERS.command, `must be one of ${COMMANDS.join(', ')}, or upload, finalize`);
}

function readInteger(request: FastifyRequest, name: string): number {
  const value = readHeader(request, name);
  if (!/^\d{1,15}$/.test(value)) throw refuse(name, 'must be an integer');
  return Number(value);
}

function readHeader({ headers }: FastifyRequest, name: string): string {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value.trim() : '';
}

function countBytes(parts: readonly UploadPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

function toHex(id: string): string {
  return id.replaceAll('-', '');
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}

function refuseState({ state }: UploadFacts): GatewayError {
  return new GatewayError('conflict', `The upload is ${state}.`, { param: LINK });
}

function refuseUnknown(): GatewayError {
  return new GatewayError('not_found', 'There is no upload at this address, or not any more.', {
    param: LINK,
  });
}
